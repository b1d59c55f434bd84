import { nearestLines } from '../edits/nearest.ts'
import { reindent } from '../edits/reindent.ts'
import { bare, isAllCrlf, lineEndingOf, type LineEnding, splitLines } from '../files/line-endings.ts'
import type { Hunk, HunkLine } from './file-patch.ts'
import { type FoundBy, placeHunk } from './place-hunk.ts'

export type Applied =
  | {
      readonly kind: 'applied'
      readonly text: string
      /** Differences between the patch and the file, one sentence each. */
      readonly notes: readonly string[]
    }
  | {
      readonly kind: 'failed'
      readonly why: string
      /** Lines of the file that may help, if the file may be shown. */
      readonly closest?: string
    }

/** Applies the hunks of one file, all or none. */
export function applyHunks(text: string, hunks: readonly Hunk[]): Applied {
  const lines = splitLines(text)
  const usual = isAllCrlf(text) ? '\r\n' : '\n'
  const isUnended = text !== '' && !text.endsWith('\n')
  const parts: (readonly string[])[] = []
  const notes: string[] = []
  let from = 0
  let drift = 0
  for (const [index, hunk] of inOrder(hunks).entries()) {
    const number = index + 1
    const place = placeHunk(hunk, { lines, from, drift })
    if (place.kind === 'ambiguous')
      return failed(
        `Hunk ${number} fits at lines ${place.lines.slice(0, 10).join(', ')}. Add lines around it, or correct its line numbers.`,
      )
    if (place.kind === 'missing') return missing(number, hunk, lines, from)
    const { at, foundBy } = place
    const replaced = changed(hunk, lines, at, foundBy, usual)
    parts.push(lines.slice(from, at))
    from = at + hunk.lines.filter(({ sign }) => sign !== '+').length
    const staysUnended = isUnended && from === lines.length && foundBy !== 'exact'
    parts.push(staysUnended ? unended(replaced) : replaced)
    if (foundBy !== 'exact') notes.push(`Hunk ${number} matched ${ways[foundBy]}.`)
    if (hunk.before !== undefined && at !== hunk.before + drift) {
      notes.push(`Hunk ${number} was found at line ${at + 1}, not at line ${hunk.before + 1}.`)
      drift = at - hunk.before
    }
  }
  return { kind: 'applied', text: ended([...parts.flat(), ...lines.slice(from)], usual), notes }
}

const ways = {
  line_endings: 'but for line endings, which stay as they were',
  trailing_white_space: 'after ignoring white space at the ends of lines',
  surrounding_white_space: 'after ignoring white space around lines',
} satisfies Record<Exclude<FoundBy, 'exact'>, string>

/** Hunks with positions in the order of their positions; hunks without one stay where they are. */
function inOrder(hunks: readonly Hunk[]): readonly Hunk[] {
  if (hunks.some(({ before }) => before === undefined)) return hunks
  return [...hunks].sort((one, other) => (one.before ?? 0) - (other.before ?? 0))
}

/** The new lines. Context lines are taken from the file, even where the hunk has them a little differently. */
function changed(
  { lines: hunkLines }: Hunk,
  lines: readonly string[],
  at: number,
  foundBy: FoundBy,
  usual: LineEnding,
): string[] {
  const old = hunkLines.filter(({ sign }) => sign !== '+')
  const found = lines.slice(at, at + old.length)
  // If a hunk contains carriage returns, or matches exactly, its new lines are meant literally.
  const isLiteral = foundBy === 'exact' && (old.length > 0 || usual === '\n' || hunkLines.some(endsInReturn))
  const added = isLiteral ? hunkLines.map(({ text }) => text) : indented(hunkLines, old, found)
  const ending = isLiteral ? '\n' : (lineEndingOf(found.join('')) ?? usual)
  let position = 0
  return hunkLines.flatMap(({ sign, unended }, index) => {
    if (sign === '+') return [(added[index] as string) + (unended ? '' : ending)]
    position += 1
    return sign === ' ' ? [found[position - 1] as string] : []
  })
}

function endsInReturn({ text }: HunkLine): boolean {
  return text.endsWith('\r')
}

function indented(hunkLines: readonly HunkLine[], old: readonly HunkLine[], found: readonly string[]): string[] {
  const texts = (lines: readonly HunkLine[]) => lines.map(({ text }) => bare(text))
  return reindent(texts(old), found.map(bare), texts(hunkLines))
}

/** A file without a final newline stays without one, unless the hunk says otherwise. */
function unended(lines: readonly string[]): readonly string[] {
  const last = lines.at(-1)
  return last === undefined ? lines : lines.with(-1, bare(last))
}

/** Adds the usual ending to all lines; only the last line of a file can lack one. */
function ended(lines: readonly string[], usual: string): string {
  return lines.map((line, index) => (index < lines.length - 1 && !line.endsWith('\n') ? line + usual : line)).join('')
}

function missing(number: number, hunk: Hunk, lines: readonly string[], from: number): Applied {
  const old = hunk.lines.filter(({ sign }) => sign !== '+').map(({ text }) => text)
  if (old.length === 0)
    return failed(`Hunk ${number} begins beyond the end of the file, or overlaps the one before it.`)
  const closest = nearestLines(lines.join(''), old.join('\n'))
  const overlap = from > 0 ? ' behind those of the hunks before' : ''
  const why = `The lines of hunk ${number} are not in the file${overlap}; its first is "${(old[0] ?? '').slice(0, 200)}".`
  return { kind: 'failed', why, ...(closest !== undefined && { closest }) }
}

function failed(why: string): Applied {
  return { kind: 'failed', why }
}
