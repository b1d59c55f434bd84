import {
  bytesOfBase64,
  type FilePart,
  imageFacts,
  LoaderError,
  type Message,
  type Part,
  shownText,
  type StoredText,
  type TextPart,
} from '@loader/session-core'
import { isImage, type LeftOut, wordFor } from './files-left-out.ts'

type ReadText = (text: StoredText) => Promise<string>

/** The size of an image stands within so many bytes, but for those with long metadata in front. */
const beginning = 256 * 1024
/** Pixels of an edge, above which providers refuse the whole request. */
const longestEdge = 8000

/**
 * A message with its files in full, and a note in place of each that is not sent. Files of sessions from elsewhere were
 * never looked at: one that is no image, or too large, would make a provider refuse every later request.
 */
export async function withFiles(message: Message, leftOut: LeftOut, readText: ReadText): Promise<Message> {
  let next = 0
  const content: Part[] = []
  for (const part of message.content) {
    if (part.type === 'file') content.push(await shown(part, leftOut[next++], readText))
    else if (part.type !== 'result' || part.files === undefined) content.push(part)
    else {
      const files: (FilePart | TextPart)[] = []
      for (const file of part.files) files.push(await shown(file, leftOut[next++], readText))
      const notes = files.flatMap((file) => (file.type === 'text' ? [shownText(file.text)] : []))
      const { files: _files, ...rest } = part
      const kept = files.filter((file) => file.type === 'file')
      const text = [await readText(part.text), ...notes].join('\n')
      content.push({ ...rest, text, ...(kept.length > 0 && { files: kept }) })
    }
  }
  return { ...message, content }
}

async function shown(file: FilePart, why: string | undefined, readText: ReadText): Promise<FilePart | TextPart> {
  if (why !== undefined) return noteOn(file, why)
  const { source } = file
  if (source.kind !== 'base64') return file
  const data = await dataOf(source.data, readText)
  if (data === undefined) return noteOn(file, 'it is missing in the session')
  if (!isImage(file)) return { ...file, source: { kind: 'base64', data } }
  const facts = imageFacts(bytesOfBase64(data, beginning))
  if (facts === undefined && !/^image\/\*$/.test(file.mediaType) && data.length > beginning) {
    // Its size lies behind what was looked at.
    return { ...file, source: { kind: 'base64', data } }
  }
  if (facts === undefined) return noteOn(file, 'it is not an image that models take')
  const { mediaType, width, height } = facts
  if (Math.max(width, height) > longestEdge) return noteOn(file, `it is larger than ${longestEdge} pixels`)
  return { ...file, mediaType, source: { kind: 'base64', data } }
}

async function dataOf(data: StoredText, readText: ReadText): Promise<string | undefined> {
  try {
    return await readText(data)
  } catch (error) {
    if (LoaderError.is(error, 'blob_missing')) return undefined
    throw error
  }
}

function noteOn(file: FilePart, why: string): TextPart {
  const name = file.name === undefined ? '' : ` ${file.name}`
  return { type: 'text', text: `[${wordFor(file)}${name} (${file.mediaType}) is not shown: ${why}]` }
}
