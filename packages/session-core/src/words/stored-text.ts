import * as z from 'zod/mini'
import type { Immutable } from './immutable.ts'
import { count, described, lazyObject, nonEmpty } from './schema.ts'

/** A text, or, when it is long, a reference to where the store keeps it. */
export const StoredText = /* @__PURE__ */ z.union([
  /* @__PURE__ */ z.string(),
  /* @__PURE__ */ lazyObject(() => ({
    blob: described(nonEmpty, 'name of the text among the blobs of the session'),
    bytes: described(count, 'length of the text in UTF-8'),
    excerpt: described(z.string(), 'how the text begins'),
  })),
])
export type StoredText = Immutable<z.infer<typeof StoredText>>

/** Texts above this many bytes of UTF-8 go to the blobs of the session. */
export const longestInlineText = 64 * 1024

const excerptLength = 200

/** What can be shown without asking the store: the text itself, or how it begins. */
export function shownText(text: StoredText): string {
  return typeof text === 'string' ? text : text.excerpt
}

/** One line of at most `length` characters that never ends in half of a surrogate pair. */
export function excerptOf(text: string, length: number = excerptLength): string {
  if (text.length <= length && !/[^\S ]| {2}|^ | $/.test(text)) return text
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= length) return line
  const cut = line.slice(0, length - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** The length in bytes, without encoding the text. Limits on stored text count bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    const pair = unit >= 0xd8_00 && unit <= 0xdb_ff && (text.charCodeAt(index + 1) & 0xfc_00) === 0xdc_00
    bytes += unit < 0x8_00 ? 1 : 2
    if (pair) index += 1
  }
  return bytes
}
