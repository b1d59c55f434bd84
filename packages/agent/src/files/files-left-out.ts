import { documentType, type FilePart, fileLimits, imageTypes, type Message, utf8Length } from '@loader/session-core'

/** What a model takes besides text, as far as it is known. What is not known is sent. */
export interface Takes {
  readonly images?: boolean | undefined
  readonly documents?: boolean | undefined
}

/** Why each file of a message is not sent, in the order of its files; undefined for those that are. */
export type LeftOut = readonly (string | undefined)[]

/**
 * Which files of the window are not sent to a model, and why. The session keeps them all: they come back with a model
 * that takes them.
 */
export function filesLeftOut(window: readonly Message[], takes: Takes): ReadonlyMap<Message, LeftOut> {
  const found = window
    .filter(hasFiles)
    .flatMap((message) => filesOf(message).map((file) => ({ message, file, why: whyNot(file, takes) })))
  const many = tooMany(found.flatMap(({ file, why }) => (why === undefined ? [file] : [])))
  let [sent, left] = [0, new Map<Message, (string | undefined)[]>()]
  for (const { message, file, why } of found) {
    const reason = why ?? (sent < many ? `later ${wordFor(file)}s fill what one request can hold` : undefined)
    if (why === undefined) sent += 1
    left.set(message, [...(left.get(message) ?? []), reason])
  }
  return left
}

/** Few messages have any, and all are looked at for each request. */
function hasFiles({ content }: Message): boolean {
  return content.some((part) => part.type === 'file' || (part.type === 'result' && part.files !== undefined))
}

/** The files of a message, in the order of its parts: its own, and those of results. */
function filesOf({ content }: Message): readonly FilePart[] {
  return content.flatMap((part) => (part.type === 'file' ? [part] : part.type === 'result' ? (part.files ?? []) : []))
}

export function isImage({ mediaType }: FilePart): boolean {
  return mediaType.startsWith('image/')
}

export function wordFor(file: FilePart): string {
  return isImage(file) ? 'image' : 'file'
}

function whyNot(file: FilePart, takes: Takes): string | undefined {
  if (file.source.kind === 'path') return undefined
  if (isImage(file)) {
    if (takes.images === false) return 'this model cannot see images'
    if (!imageTypes.includes(file.mediaType) && file.mediaType !== 'image/*')
      return 'models do not take this kind of image'
    return sizeOf(file) > fileLimits.imageBase64Bytes ? 'it is larger than models take' : undefined
  }
  if (file.mediaType !== documentType) return undefined
  if (takes.documents === false) return 'this model does not read PDF files'
  return sizeOf(file) > fileLimits.documentBase64Bytes ? 'it is larger than models take' : undefined
}

/**
 * How many of the oldest files must be left out, so that the rest fits into one request. It grows in steps of half a
 * request: if each new file pushed out one old file, every request would begin differently, and nothing would be cached.
 */
function tooMany(files: readonly FilePart[]): number {
  const sizes = files.map(sizeOf)
  const images = files.map((file) => (isImage(file) ? 1 : 0))
  return Math.max(outside(sizes, fileLimits.requestBase64Bytes), outside(images, fileLimits.requestImages))
}

function outside(sizes: readonly number[], most: number): number {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= most) return 0
  const step = most / 2
  const needed = Math.ceil((total - most) / step) * step
  let [gone, count] = [0, 0]
  while (gone < needed && count < sizes.length - 1) gone += sizes[count++] ?? 0
  return count
}

/** Bytes in base64; 0 for a file that the provider fetches itself. */
function sizeOf({ source }: FilePart): number {
  if (source.kind !== 'base64') return 0
  return typeof source.data === 'string' ? utf8Length(source.data) : source.data.bytes
}
