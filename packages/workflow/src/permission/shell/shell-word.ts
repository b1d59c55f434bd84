import type { DoubleQuotedChild, Word, WordPart } from 'unbash'
import { bracesOf } from './braces.ts'

/** One word of a command, as far as it is known before the command runs. */
export interface ShellWord {
  /** As it is written. */
  readonly text: string
  /** What it stands for, without quotes. Exact when the word is fixed. */
  readonly value: string
  /** A glob becomes names of files; an open word is known only when the command runs. */
  readonly kind: 'fixed' | 'glob' | 'open'
  /** Its beginning, up to what is not fixed. */
  readonly start: string
  /** It can become several words, and those behind the first begin with anything. */
  readonly splits: boolean
}

export function fixedWord(value: string): ShellWord {
  return { text: value, value, kind: 'fixed', start: value, splits: false }
}

/** A word that somebody else fills in, such as a line that xargs reads. */
export function openWord(text: string, start: string = ''): ShellWord {
  return { text, value: text, kind: 'open', start, splits: false }
}

/** Whether a program could take it for an option. */
export function mayBeOption({ kind, value, start, splits }: ShellWord): boolean {
  if (kind === 'fixed') return value.startsWith('-')
  return splits || start === '' || start.startsWith('-')
}

/** The words that this one becomes: several, where braces say so in plain text. */
export function readWord(word: Word): ShellWord[] {
  const { parts } = word
  if (parts === undefined) return [{ ...fixedWord(word.value), text: word.text }]
  let drafts: readonly Draft[] = [fixed('')]
  for (const part of parts) {
    const pieces = piecesOf(part)
    if (drafts.length * pieces.length > mostWords) return [{ ...openWord(word.text), splits: true }]
    drafts = drafts.flatMap((draft) => pieces.map((piece) => joined(draft, piece)))
  }
  return drafts.map((draft) => ({ ...draft, text: word.text }))
}

const mostWords = 64

type Draft = Omit<ShellWord, 'text'>

function joined(draft: Draft, piece: Draft): Draft {
  const fixedSoFar = draft.kind === 'fixed'
  return {
    value: draft.value + piece.value,
    kind: draft.kind === 'open' || piece.kind === 'open' ? 'open' : fixedSoFar ? piece.kind : draft.kind,
    start: fixedSoFar ? draft.start + piece.start : draft.start,
    splits: draft.splits || piece.splits,
  }
}

const fixed = (value: string): Draft => ({ value, kind: 'fixed', start: value, splits: false })
const open = (value: string, splits: boolean): Draft => ({ value, kind: 'open', start: '', splits })

function piecesOf(part: WordPart): readonly Draft[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return [fixed(part.value)]
    case 'AnsiCQuoted':
      return [plainEscapes.test(part.text) ? fixed(part.value) : open(part.value, false)]
    case 'DoubleQuoted':
      return [part.parts.map(quotedPiece).reduce(joined, fixed(''))]
    case 'LocaleString':
      return [open(part.text, false)]
    case 'Glob':
      return [
        part.kind === 'bracket' && part.parts.some(({ type }) => type !== 'Literal')
          ? open(part.text, true)
          : { value: part.text, kind: 'glob', start: '', splits: false },
      ]
    case 'BraceExpansion':
      return bracesOf(part.text)?.map(fixed) ?? [open(part.text, true)]
    case 'ArithmeticExpansion':
      return [open(part.text, false)]
    case 'ProcessSubstitution':
      // It becomes the path of a pipe, whatever is in it.
      return [{ ...open('/dev/fd/63', false), start: '/dev/fd/' }]
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ExtendedGlob':
      return [open(part.text, true)]
    default:
      return part satisfies never
  }
}

/** Escapes on which shells agree. */
const plainEscapes = /^\$'(?:[^\\]|\\[ntr\\"?abefv])*'$/

function quotedPiece(part: DoubleQuotedChild): Draft {
  return part.type === 'Literal' ? fixed(part.value) : open(part.text, severalEvenQuoted.test(part.text))
}

/** `"$@"` and `"${list[@]}"` become one word for each element. */
const severalEvenQuoted = /^\$\{?!?\w*(?:@|\[@\])/
