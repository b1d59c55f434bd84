import { createInterface } from 'node:readline/promises'
import type { Console } from './console.ts'

/** Asks a question that only a clear yes answers with yes. The question goes to standard error, like all that is no result. */
export async function askYes({ stdin, stderr }: Console, question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, terminal: false })
  try {
    stderr.write(`${question} [y/N] `)
    for await (const line of lines) return /^y(es)?$/i.test(line.trim())
    return false
  } finally {
    lines.close()
  }
}
