import { type FilePart, imageFacts, shownText, type StoredText } from '@loader/session-core'
import { inOneLine, shortBytes } from '@loader/readings'

/** A file in a conversation in one line: its name, its kind, and its size. */
export function fileWords({ name = 'a file', mediaType, source }: FilePart): string {
  if (source.kind !== 'base64') return inOneLine(`${name}: ${mediaType}`)
  const facts = imageFacts(beginningOf(source.data))
  const size = facts === undefined ? [] : [`${facts.width} x ${facts.height} pixels`]
  return inOneLine(`${name}: ${[mediaType, ...size, shortBytes(bytesIn(source.data))].join(', ')}`)
}

/** Whole groups of four letters, so that what is cut off spoils nothing. */
function beginningOf(data: StoredText): Uint8Array {
  const text = shownText(data).slice(0, 4 * 1024)
  return Buffer.from(text.slice(0, text.length - (text.length % 4)), 'base64')
}

function bytesIn(data: StoredText): number {
  if (typeof data !== 'string') return Math.floor((data.bytes * 3) / 4)
  return Math.floor((data.replace(/=+$/, '').length * 3) / 4)
}
