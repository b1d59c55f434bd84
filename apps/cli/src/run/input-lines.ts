import { createInterface } from 'node:readline'
import * as z from 'zod'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import { readJsonText } from '../settings/json-text.ts'

const Text = z.looseObject({ type: z.literal('text'), text: z.string() })
const Line = z.looseObject({
  type: z.literal('user'),
  message: z.looseObject({ role: z.literal('user').optional(), content: z.union([z.string(), z.array(Text).min(1)]) }),
})

/** The messages of `--input-format stream-json`, one on each line. An invalid line is an error that names it. */
export async function* inputLines({ stdin }: Pick<Console, 'stdin'>): AsyncGenerator<string, void, undefined> {
  const lines = createInterface({ input: stdin, terminal: false, crlfDelay: Infinity })
  let number = 0
  try {
    for await (const line of lines) {
      number += 1
      if (line.trim() !== '') yield messageOf(line, number)
    }
  } finally {
    lines.close()
  }
}

function messageOf(line: string, number: number): string {
  const json = readJsonText(line)
  if (!json.ok) throw refused(number, `it is not JSON: ${json.reason}`)
  const message = Line.safeParse(json.value)
  if (!message.success) {
    throw refused(
      number,
      'it is not {"type":"user","message":{"role":"user","content":"…"}}, with a text or parts of text',
    )
  }
  const { content } = message.data.message
  const text = typeof content === 'string' ? content : content.map((part) => part.text).join('\n')
  if (text.trim() === '') throw refused(number, 'it says nothing')
  return text
}

function refused(number: number, why: string): UsageError {
  return new UsageError(`Line ${number} of standard input cannot be used: ${why}.`, '')
}
