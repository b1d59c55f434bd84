import { Readable, Writable } from 'node:stream'
import type { Program } from '../arguments/command.ts'
import type { Console } from '../console/console.ts'

/** Runs a command of `loader` as if typed in a folder, and returns its output. */
export async function captured(
  program: Program,
  words: readonly string[],
  console: Console,
  { folder, columns }: { readonly folder: string; readonly columns: number },
): Promise<string[]> {
  const chunks: string[] = []
  const into = () => {
    const stream = new Writable({
      decodeStrings: false,
      write(chunk: unknown, _encoding, done) {
        chunks.push(String(chunk))
        done()
      },
    })
    return Object.assign(stream, { isTTY: true, columns })
  }
  // The command must not ask: its questions were asked before.
  const stdin = Object.assign(Readable.from([]), { isTTY: false })
  await program.start(words, { ...console, stdin, stdout: into(), stderr: into(), folder })
  return chunks.join('').replace(/\n+$/, '').split('\n')
}
