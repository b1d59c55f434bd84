import { closeSync, constants, openSync, readSync } from 'node:fs'
import { imageFacts, type Signal } from '@loader/session-core'
import type { ToolContext, ToolResult } from '@loader/session-core/coding'
import { codeOf } from '@loader/workspace'
import { basename } from 'node:path'
import { type Files, locate } from '../files/located.ts'
import { isPdf, modelDocument } from './model-document.ts'
import { modelImage } from './model-image.ts'
import { shownName } from './parts-of.ts'
import { pdfText } from './pdf-text.ts'
import { readStable } from './read-stable.ts'

interface Asked {
  /** The real path that was permitted. */
  readonly path: string | undefined
  readonly model: ToolContext['model']
  readonly signal: Signal | undefined
}

type Media =
  | { readonly kind: 'result'; readonly result: ToolResult }
  /** The text of a document, to be shown like a text file. */
  | { readonly kind: 'text'; readonly text: string; readonly shown: string; readonly note: string }

/** An image or a PDF file for the model, as far as it can take it; undefined for any other file. */
export async function readMedia(files: Files, path: string, asked: Asked): Promise<Media | undefined> {
  const place = await locate(files, path)
  // Everything that has nothing to do with images is said where text is read.
  if (place.kind === 'refused' || place.entry !== 'file' || place.path !== asked.path) return undefined
  if (!looksLikeMedia(place.path)) return undefined
  const look = await readStable(place.path)
  if (look.kind === 'absent') return undefined
  const { shown } = place
  if (look.kind === 'refused') return failed(`${shown} cannot be read: ${look.why}`)
  const { bytes } = look
  if (isPdf(bytes)) return document(bytes, shown, asked)
  return imageFacts(bytes) === undefined ? undefined : image(bytes, shown, asked)
}

async function image(bytes: Uint8Array, shown: string, { model, signal }: Asked): Promise<Media> {
  if (model?.images !== true) {
    const { mediaType, width, height } = imageFacts(bytes) ?? { mediaType: 'image', width: 0, height: 0 }
    const why =
      model?.images === false ? 'This model cannot see images' : 'It is not known whether this model sees images'
    const remedy = model?.images === false ? '' : ' The user can say that it does: setting images.'
    const text = `${shown} is an image (${mediaType}, ${width} x ${height} pixels, ${bytes.length} bytes). ${why}, so it is not shown.${remedy}`
    return failed(text)
  }
  return asResult(shown, await modelImage(bytes, shownName(basename(shown)), signal))
}

async function document(bytes: Uint8Array, shown: string, { model, signal }: Asked): Promise<Media> {
  const made = model?.documents === true ? modelDocument(bytes, shownName(basename(shown))) : undefined
  if (made?.kind === 'part') return asResult(shown, made)
  const read = await pdfText(bytes, signal)
  const why = made?.why ?? 'This model does not read PDF files.'
  if (read.kind === 'refused') return failed(`${shown} is a PDF file. ${capital(why)} ${capital(read.why)}`)
  const note = `${shown} is a PDF file of ${read.pages} pages; this is its text, without pictures and layout.`
  return { kind: 'text', text: read.text, shown, note }
}

function asResult(shown: string, made: Awaited<ReturnType<typeof modelImage>>): Media {
  if (made.kind === 'refused') return failed(`${shown} cannot be shown: ${made.why}`)
  const { part, note } = made
  const metadata = { filePath: shown, mediaType: part.mediaType, summary: note }
  return {
    kind: 'result',
    result: { outcome: 'ok', text: `${shown}: ${part.mediaType}, ${note}.`, files: [part], metadata },
  }
}

function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function failed(text: string): Media {
  return { kind: 'result', result: { outcome: 'failed', text } }
}

/** By its first bytes, so that a text file costs one short read more. */
function looksLikeMedia(path: string): boolean {
  const bytes = Buffer.alloc(16)
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY)
    try {
      readSync(fd, bytes, 0, bytes.length, 0)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return false
  }
  const beginning = bytes.toString('latin1')
  return /^(?:%PDF-|\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP)/s.test(beginning)
}
