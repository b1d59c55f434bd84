import type { StoredText } from '@loader/session-core'
import { estimateTokenCount } from 'tokenx'

/** Counts the tokens of a text exactly, for a model whose tokenizer is at hand. */
export type Tokenizer = (text: string) => number

const charactersPerToken = 4
const longestWhole = 8 * 1024
const sample = { pieces: 4, length: 1024 } as const

/** Tokens of a text: counted if a tokenizer is given, else guessed, and then rather too many than too few. */
export function textTokens(text: string, tokenizer?: Tokenizer): number {
  if (text === '') return 0
  if (tokenizer !== undefined) return tokenizer(text)
  const guess = text.length <= longestWhole ? estimateTokenCount(text) : extrapolate(text)
  // Words are told apart well, unbroken runs (base64, digests, minified code) are taken for fewer tokens than they are.
  return Math.max(guess, Math.ceil(text.length / charactersPerToken))
}

/** The same for a text that may be kept elsewhere: then its length is all there is to go by. */
export function storedTextTokens(text: StoredText, tokenizer?: Tokenizer): number {
  return typeof text === 'string' ? textTokens(text, tokenizer) : Math.ceil(text.bytes / charactersPerToken)
}

/** A long text costs no more than a short one: pieces of it stand for all. */
function extrapolate(text: string): number {
  const stride = (text.length - sample.length) / (sample.pieces - 1)
  let tokens = 0
  for (let piece = 0; piece < sample.pieces; piece += 1) {
    const start = Math.floor(piece * stride)
    tokens += estimateTokenCount(text.slice(start, start + sample.length))
  }
  return Math.ceil((tokens * text.length) / (sample.pieces * sample.length))
}
