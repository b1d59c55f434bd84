import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'

/** Longer input is rejected, because it cannot be a task. */
const longest = 10 * 1024 * 1024

/** How long to wait for input that is optional. */
const patienceMs = 3_000

/**
 * Reads piped input; a terminal is not read. With `needed`, the run has no task without it and waits for it. Otherwise a
 * silent input, such as one inherited from a program by accident, is given up after a while.
 */
export async function readStandardInput(
  { stdin, stderr }: Console,
  { expected, verbose }: { readonly expected: 'needed' | 'welcome'; readonly verbose: boolean },
): Promise<string> {
  if (stdin.isTTY === true) return ''
  if (verbose && expected === 'needed') stderr.write('loader: Reading standard input.\n')
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of expected === 'needed' ? stdin : withPatience(stdin, stderr)) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array)
      chunks.push(bytes)
      size += bytes.length
      if (size > longest) throw tooLong
    }
  } catch (error) {
    if (error === tooLong || !(error instanceof Error)) throw error
    throw new UsageError(`Standard input cannot be read: ${error.message}.`, '')
  }
  return Buffer.concat(chunks).toString('utf8')
}

const tooLong = new UsageError(
  `Standard input is longer than ${longest} bytes. Put it into a file, and name the file.`,
  '',
)

async function* withPatience(stdin: Console['stdin'], stderr: Console['stderr']): AsyncGenerator<unknown> {
  const chunks: AsyncIterator<unknown> = stdin[Symbol.asyncIterator]()
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs)
  })
  let next = await Promise.race([chunks.next(), silence])
  clearTimeout(timer)
  if (next === undefined) {
    stderr.write(
      `loader: Nothing came through standard input within ${patienceMs / 1000} s; going on without it. A word "-" waits.\n`,
    )
    stdin.destroy()
    return
  }
  for (; next.done !== true; next = await chunks.next()) yield next.value
}
