import type { BlobStore, FilePart, StoredText } from '@loader/session-core'

/** Files whose base64 is longer are kept beside the events: each request and each saved state would hold them again. */
const longestInline = 4096
const excerptLength = 32

/**
 * The files as events name them: long ones as blobs of the session, each content once. Durable when this resolves, so
 * that an event may name them.
 */
export async function storeFiles(files: readonly FilePart[], blobs: BlobStore): Promise<FilePart[]> {
  return Promise.all(files.map((file) => storeFile(file, blobs)))
}

export async function storeFile<File extends FilePart>(file: File, blobs: BlobStore): Promise<File> {
  const { source } = file
  if (source.kind !== 'base64') return file
  const { data } = source
  if (typeof data !== 'string' || data.length <= longestInline) return file
  const { blob, bytes } = await blobs.put(data)
  const stored: StoredText = { blob, bytes, excerpt: data.slice(0, excerptLength) }
  return { ...file, source: { kind: 'base64', data: stored } }
}
