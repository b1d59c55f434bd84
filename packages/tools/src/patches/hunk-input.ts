import * as z from 'zod'
import { splitLines } from '../files/line-endings.ts'
import type { Hunk, HunkLine } from './file-patch.ts'

/** A hunk as a model writes it: with line numbers, or as an old block and its replacement. */
export const HunkInput = z.union([
  z.object({
    old_start: z.int().min(0).describe('first line of the hunk in the file, counted from 1'),
    old_lines: z.int().min(0).optional(),
    new_start: z.int().min(0).optional(),
    new_lines: z.int().min(0).optional(),
    lines: z.array(z.string()).min(1).describe('each begins with a space (context), - (removed) or + (added)'),
  }),
  z.object({
    old_string: z.string().min(1).describe('whole lines to replace, as they stand in the file'),
    new_string: z.string().describe('the lines to put in their place'),
  }),
])
export type HunkInput = z.infer<typeof HunkInput>

/** The hunk, or what is wrong with it. */
export function hunkOf(input: HunkInput, number: number): Hunk | string {
  if ('old_string' in input) {
    return { lines: [...signed('-', input.old_string), ...signed('+', input.new_string)] }
  }
  const lines: HunkLine[] = []
  for (const line of input.lines.flatMap((each) => each.replace(/\n$/, '').split('\n'))) {
    const [sign] = line
    if (sign === '\\') {
      const last = lines.pop()
      if (last !== undefined) lines.push({ ...last, unended: true })
    } else if (sign === ' ' || sign === '-' || sign === '+') {
      lines.push({ sign, text: line.slice(1) })
    } else if (line === '') {
      lines.push({ sign: ' ', text: '' })
    } else {
      return `Line "${line.slice(0, 100)}" of hunk ${number} begins with neither a space nor - nor +.`
    }
  }
  return { lines, before: Math.max(0, input.old_start - 1) }
}

function signed(sign: '-' | '+', text: string): HunkLine[] {
  return splitLines(text).map((line) => ({ sign, text: line.replace(/\n$/, '') }))
}
