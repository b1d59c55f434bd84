import type { DoubleQuotedChild, Word, WordPart } from 'unbash'

/** One word of a command, as far as it is known before the command runs. */
export interface ShellWord {
  /** As written. */
  readonly text: string
  /** Its value without quotes. Exact if the word is fixed. */
  readonly value: string
  /** A glob expands to names of files; an open word is known only at run time. */
  readonly kind: 'fixed' | 'glob' | 'open'
}

/** The words that this one expands to: several if it has plain braces. */
export function readWord(word: Word): ShellWord[] {
  const { parts } = word
  if (parts === undefined) return [{ text: word.text, value: word.value, kind: 'fixed' }]
  let drafts: readonly Draft[] = [fixed('')]
  for (const part of parts) {
    const pieces = piecesOf(part)
    if (drafts.length * pieces.length > mostWords) return [{ text: word.text, value: word.text, kind: 'open' }]
    drafts = drafts.flatMap((draft) => pieces.map((piece) => joined(draft, piece)))
  }
  return drafts.map((draft) => ({ ...draft, text: word.text }))
}

const mostWords = 64

type Draft = Omit<ShellWord, 'text'>

function joined(draft: Draft, piece: Draft): Draft {
  return {
    value: draft.value + piece.value,
    kind: draft.kind === 'open' || piece.kind === 'open' ? 'open' : draft.kind === 'fixed' ? piece.kind : draft.kind,
  }
}

const fixed = (value: string): Draft => ({ value, kind: 'fixed' })
const open = (value: string): Draft => ({ value, kind: 'open' })

function piecesOf(part: WordPart): readonly Draft[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return [fixed(part.value)]
    case 'AnsiCQuoted':
      return [plainEscapes.test(part.text) ? fixed(part.value) : open(part.value)]
    case 'DoubleQuoted':
      return [part.parts.map(quotedPiece).reduce(joined, fixed(''))]
    case 'LocaleString':
      return [open(part.text)]
    case 'Glob':
      return [
        part.kind === 'bracket' && part.parts.some(({ type }) => type !== 'Literal')
          ? open(part.text)
          : { value: part.text, kind: 'glob' },
      ]
    case 'BraceExpansion':
      return bracesOf(part.text)?.map(fixed) ?? [open(part.text)]
    case 'ArithmeticExpansion':
      return [open(part.text)]
    case 'ProcessSubstitution':
      // A process substitution becomes the path of a pipe, whatever it contains.
      return [open('/dev/fd/63')]
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ExtendedGlob':
      return [open(part.text)]
    default:
      return part satisfies never
  }
}

/** Escapes that all shells treat alike. */
const plainEscapes = /^\$'(?:[^\\]|\\[ntr\\"?abefv])*'$/

function quotedPiece(part: DoubleQuotedChild): Draft {
  return part.type === 'Literal' ? fixed(part.value) : open(part.text)
}

/** The expansion of plain braces: `{a,b}` or `{1..3}`. Undefined if the expansion is known only at run time. */
function bracesOf(text: string): readonly string[] | undefined {
  if (list.test(text)) return text.slice(1, -1).split(',')
  const [, from, to] = range.exec(text) ?? []
  return from === undefined || to === undefined ? undefined : numbers(Number(from), Number(to))
}

const list = /^\{[\w./@+:-]*(?:,[\w./@+:-]*)+\}$/
const range = /^\{(0|[1-9]\d{0,3})\.\.(0|[1-9]\d{0,3})\}$/

function numbers(from: number, to: number): readonly string[] | undefined {
  const count = Math.abs(to - from) + 1
  if (count > 64) return undefined
  return Array.from({ length: count }, (_, index) => String(from < to ? from + index : from - index))
}
