import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'

/** Tools neither read nor write a file larger than this. */
export const largestFile = 10 * 1024 * 1024

/** How many bytes are searched for the NUL that marks a binary file. */
const probedBytes = 8192

/** A hash that identifies the content of a file. */
export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

type Decoded = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'not_text'; readonly why: string }

/** The text of a file, if encoding it again gives exactly the same bytes; otherwise the file does not count as text. */
export function decode(bytes: Uint8Array): Decoded {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { kind: 'not_text', why: 'it is UTF-16, not UTF-8' }
  }
  if (bytes.subarray(0, probedBytes).includes(0)) return { kind: 'not_text', why: 'it is a binary file' }
  if (!isUtf8(bytes)) return { kind: 'not_text', why: 'it is not valid UTF-8' }
  return { kind: 'text', text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') }
}

/** Why a text cannot be the content of a file, or undefined. */
export function unwritable(text: string): string | undefined {
  if (Buffer.byteLength(text) > largestFile) return `it is larger than ${largestFile / 1024 / 1024} MiB`
  if (text.includes('\0')) return 'it contains a NUL character, so the file could not be read as text again'
  if (/\p{Surrogate}/u.test(text)) return 'it contains half of a surrogate pair, which UTF-8 cannot hold'
  return undefined
}
