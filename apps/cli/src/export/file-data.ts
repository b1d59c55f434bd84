import { bytesOfBase64, imageFacts } from '@loader/session-core'

type Blobs = ReadonlyMap<string, string>

/**
 * The blobs that hold images and PDF files. A pattern that finds a secret in base64 finds it by chance, and to replace it
 * would destroy the file. What only says that it is a file, and is none, is text like any other.
 */
export function blobsOfFiles(value: unknown, blobs: Blobs): ReadonlySet<string> {
  const names = new Set<string>()
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const name = isBase64(part) ? blobIn(part.data) : undefined
    if (name !== undefined && isMedia(blobs.get(name))) names.add(name)
    for (const inner of Object.values(part)) look(inner)
  }
  look(value)
  return names
}

/** A redacted value, with the data of the files in it as it was. */
export function withFileData(redacted: unknown, original: unknown): unknown {
  if (typeof original !== 'object' || original === null || typeof redacted !== 'object' || redacted === null) {
    return redacted
  }
  if (Array.isArray(redacted)) return redacted.map((item, index) => withFileData(item, valueAt(original, index)))
  if (isBase64(original) && isMedia(original.data)) return { ...redacted, data: original.data }
  return Object.fromEntries(
    Object.entries(redacted).map(([name, inner]) => [name, withFileData(inner, valueAt(original, name))]),
  )
}

function valueAt(value: object, key: string | number): unknown {
  return (value as Readonly<Record<string | number, unknown>>)[key]
}

function isBase64(value: object): value is { readonly data: unknown } {
  return 'kind' in value && value.kind === 'base64' && 'data' in value
}

function blobIn(data: unknown): string | undefined {
  return typeof data === 'object' && data !== null && 'blob' in data && typeof data.blob === 'string'
    ? data.blob
    : undefined
}

const pdf = 'JVBERi0'

function isMedia(data: unknown): boolean {
  if (typeof data !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return false
  return data.startsWith(pdf) || imageFacts(bytesOfBase64(data, 256 * 1024)) !== undefined
}
