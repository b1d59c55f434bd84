import { createHash } from 'node:crypto'
import { LoaderError } from '@loader/session-core'

/**
 * A long text as it is kept, named by its content, in the same way as sessions on disk name theirs. A text that UTF-8
 * cannot hold (half a surrogate pair) is kept as a JSON string, so that it comes back identical.
 */
export function blobOf(text: string): { readonly name: string; readonly bytes: Uint8Array; readonly length: number } {
  const whole = !/\p{Surrogate}/u.test(text)
  const bytes = Buffer.from(whole ? text : JSON.stringify(text))
  const name = `${hashOf(bytes)}.${whole ? 'txt' : 'json'}`
  return { name, bytes, length: Buffer.byteLength(text) }
}

const form = /^[0-9a-f]{64}\.(txt|json)$/

const named = /"blob":"([0-9a-f]{64}\.(?:txt|json))"/g

/** The blobs that an event names, or anything else that is written as JSON. */
export function blobNamesIn(json: string): string[] {
  return Array.from(json.matchAll(named), (match) => match[1] as string)
}

/** The name, if it is that of a blob. Any other text, whatever characters it has, is reported as not there. */
export function nameOfBlob(id: string, name: string): string {
  if (form.test(name)) return name
  throw missing(id, JSON.stringify(name), 'is not there')
}

export function textOfBlob(id: string, name: string, bytes: unknown): string {
  if (!Buffer.isBuffer(bytes)) throw missing(id, name, 'is not there')
  if (!isWhole(name, bytes)) throw missing(id, name, 'is damaged')
  const text = bytes.toString('utf8')
  return name.endsWith('.json') ? String(JSON.parse(text)) : text
}

/** Whether the bytes are those that the name was made of. */
export function isWhole(name: string, bytes: Uint8Array): boolean {
  return hashOf(bytes) === name.slice(0, 64)
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function missing(id: string, name: string, what: string): LoaderError {
  return new LoaderError(
    'blob_missing',
    `Text ${name} of session ${id} ${what}. What names it cannot be shown in full.`,
  )
}
