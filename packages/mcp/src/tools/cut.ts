import { told } from './told-text.ts'

const headChars = 10_000
const tailChars = 20_000

/** Cuts out the middle: what counts stands at the beginning or at the end. */
export function cut(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= headChars + tailChars) return { text: told(text, Number.POSITIVE_INFINITY), isCut: false }
  const left = text.length - headChars - tailChars
  const parts = [text.slice(0, headChars), `[… ${left} characters left out …]`, text.slice(-tailChars)]
  return { text: parts.map((part) => told(part, Number.POSITIVE_INFINITY)).join('\n'), isCut: true }
}
