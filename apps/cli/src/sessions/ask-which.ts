import { createInterface } from 'node:readline/promises'
import type { SessionRow } from '@loader/session-core'
import { inOneLine, inText, relativeTime } from '@loader/readings'
import type { Console } from '../console/console.ts'
import { cut } from '../screen/width.ts'

/** Asks which session is meant. Any answer but one of the numbers selects none. */
export async function askWhich(
  { stdin, stderr }: Console,
  question: string,
  rows: readonly SessionRow[],
): Promise<SessionRow | undefined> {
  const lines = createInterface({ input: stdin, terminal: false })
  try {
    stderr.write(`${inText(question)}\n${rows.map(numbered).join('\n')}\nWhich one? A number, or Enter for none: `)
    for await (const line of lines) return /^[1-9]\d*$/.test(line.trim()) ? rows[Number(line) - 1] : undefined
    return undefined
  } finally {
    lines.close()
  }
}

function numbered({ id, title, updatedAt }: SessionRow, index: number): string {
  return `  ${index + 1}. ${cut(inOneLine(title), 50)} (${relativeTime(updatedAt, Date.now())}, ${inOneLine(id)})`
}
