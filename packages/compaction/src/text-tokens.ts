import type { StoredText } from '@loader/session-core'
import { estimateTokenCount } from 'tokenx'

/** Counts the tokens of a text exactly, if a tokenizer for the model is available. */
export type Tokenizer = (text: string) => number

const charactersPerToken = 4
const longestWhole = 8 * 1024
const sample = { pieces: 4, length: 1024 } as const

/** Tokens of a text: counted with a tokenizer, else estimated, with a tendency to overestimate. */
export function textTokens(text: string, tokenizer?: Tokenizer): number {
  if (text === '') return 0
  if (tokenizer !== undefined) return tokenizer(text)
  const guess = text.length <= longestWhole ? estimateTokenCount(text) : extrapolate(text)
  // The estimate fits words; for unbroken runs (base64, digests, minified code) it would be too low.
  return Math.max(guess, Math.ceil(text.length / charactersPerToken))
}

/** More than the estimate of any text with as many characters, without a look at its words. */
export function mostTokens({ length }: string): number {
  return 2 * length
}

/** Tokens of a text that may be stored as a blob: then only its length is known. */
export function storedTextTokens(text: StoredText, tokenizer?: Tokenizer): number {
  return typeof text === 'string' ? textTokens(text, tokenizer) : Math.ceil(text.bytes / charactersPerToken)
}

/** Estimates a long text from samples, so that it takes no longer than a short one. */
function extrapolate(text: string): number {
  const stride = (text.length - sample.length) / (sample.pieces - 1)
  let tokens = 0
  for (let piece = 0; piece < sample.pieces; piece += 1) {
    const start = Math.floor(piece * stride)
    tokens += estimateTokenCount(text.slice(start, start + sample.length))
  }
  return Math.ceil((tokens * text.length) / (sample.pieces * sample.length))
}
