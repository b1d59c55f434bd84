import type { Paint, Style } from '../screen/paint.ts'
import { widthOf, wrap } from '../screen/width.ts'

/** A part of a text in one style. */
export interface Run {
  readonly text: string
  readonly styles: readonly RunStyle[]
}

export type RunStyle = Extract<Style, string>

/** A line with its style codes, and its width in cells. */
export interface PaintedLine {
  readonly text: string
  readonly width: number
}

/** Searching for closing marks takes quadratic time, so longer texts are not parsed. */
const longest = 4_000
const pattern = new RegExp(
  [
    /\\(?<escaped>[\\`*_{}[\]()#+.!|~<>-])/,
    /(?<ticks>`+)(?!`)(?<code>.+?)(?<!`)\k<ticks>(?!`)/,
    /\*\*(?<strong>\S(?:.*?\S)?)\*\*/,
    /(?<!\w)__(?<strong2>\S(?:.*?\S)?)__(?!\w)/,
    /\*(?<stressed>[^\s*](?:[^*]*[^\s*])?)\*(?!\*)/,
    /(?<!\w)_(?<stressed2>[^\s_](?:[^_]*[^\s_])?)_(?!\w)/,
    /\[(?<label>[^\]]+)\]\((?<url>[^)\s]+)[^)]*\)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** Parses the inline Markdown of a line. A mark without its closing one stays as text. */
export function runsOf(text: string, styles: readonly RunStyle[] = []): Run[] {
  if (text.length > longest) return [{ text, styles }]
  const runs: Run[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) runs.push({ text: text.slice(end, match.index), styles })
    runs.push(...runsOfMatch(match.groups ?? {}, styles))
    end = match.index + match[0].length
  }
  return end < text.length ? [...runs, { text: text.slice(end), styles }] : runs
}

function runsOfMatch(groups: Readonly<Record<string, string | undefined>>, styles: readonly RunStyle[]): Run[] {
  const { escaped, code, strong, strong2, stressed, stressed2, label, url } = groups
  if (escaped !== undefined) return [{ text: escaped, styles }]
  if (code !== undefined) return [{ text: /^ .* $/.test(code) ? code.slice(1, -1) : code, styles: [...styles, 'cyan'] }]
  const bold = strong ?? strong2
  if (bold !== undefined) return runsOf(bold, [...styles, 'bold'])
  const italic = stressed ?? stressed2
  if (italic !== undefined) return runsOf(italic, [...styles, 'italic'])
  return label === url
    ? [{ text: label ?? '', styles }]
    : [...runsOf(label ?? '', styles), { text: ` (${url})`, styles: [...styles, 'dim'] }]
}

/** Wraps the runs into lines that fit, by visible width. */
export function wrapRuns(runs: readonly Run[], width: number, paint: Paint): PaintedLine[] {
  const whole = runs.map(({ text }) => text).join('')
  const owners = runs.flatMap(({ text }, index) => Array.from({ length: text.length }, () => index))
  let place = 0
  return wrap(whole, width).map((line) => {
    const pieces: { text: string; owner: number | undefined }[] = []
    for (const unit of line.split('')) {
      if (unit !== ' ') while (place < whole.length && whole[place] === ' ' && whole[place] !== unit) place += 1
      const isThere = whole[place] === unit
      const owner = isThere ? owners[place] : undefined
      if (isThere) place += 1
      const last = pieces.at(-1)
      if (last !== undefined && last.owner === owner) last.text += unit
      else pieces.push({ text: unit, owner })
    }
    const text = pieces.map((piece) =>
      painted(piece.text, piece.owner === undefined ? [] : (runs[piece.owner]?.styles ?? []), paint),
    )
    return { text: text.join(''), width: widthOf(line) }
  })
}

function painted(text: string, styles: readonly RunStyle[], paint: Paint): string {
  return styles.length === 0 ? text : paint([...styles], text)
}
