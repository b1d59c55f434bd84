import { counted, inOneLine } from '@loader/readings'
import type { DiffOutput } from '../schemas/diff.ts'
import type { Paint, Style } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'

interface Look {
  readonly width: number
  readonly paint: Paint
}

/** A patch with colours. Long lines are wrapped. */
export function patchLines(lines: readonly string[], { width, paint }: Look): string[] {
  if (lines.every((line) => line === '')) return []
  let within = false
  return lines.flatMap((line) => {
    if (line.startsWith('diff --git ')) within = false
    const style = within ? inHunk(line) : line.startsWith('@@ ') ? 'cyan' : 'bold'
    if (line.startsWith('@@ ')) within = true
    const parts = wrap(line, width)
    return style === undefined ? parts : parts.map((part) => paint(style, part))
  })
}

function inHunk(line: string): Style | undefined {
  if (line.startsWith('@@ ')) return 'cyan'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : undefined
}

const signs = { added: 'A', modified: 'M', deleted: 'D', mode: 'M', type: 'T' } as const

/** A line for each file, and a total. */
export function statLines(files: DiffOutput['files'], { width, paint }: Look): string[] {
  if (files.length === 0) return []
  const [added, removed] = [sum(files.map((file) => file.added ?? 0)), sum(files.map((file) => file.removed ?? 0))]
  return [
    ...files.flatMap((file) => wrap(`${signs[file.change]} ${inOneLine(file.path)}  ${countsOf(file)}`, width)),
    paint('dim', `${counted(files.length, 'file')}, +${added} -${removed}`),
  ]
}

function countsOf({ change, added, removed }: DiffOutput['files'][number]): string {
  if (added === undefined || removed === undefined) return 'binary'
  return change === 'mode' ? 'mode' : `+${added} -${removed}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
