import { decode, type FileNow, readFileNow } from '@loader/workspace'
import { type Files, locate, type LocatedPlace } from './located.ts'

/** A file that is text. */
export interface TextFile extends FileNow {
  readonly text: string
}

export type Loaded =
  | { readonly kind: 'loaded'; readonly place: LocatedPlace; readonly file: TextFile }
  | { readonly kind: 'absent'; readonly place: LocatedPlace }
  | { readonly kind: 'refused'; readonly why: string }

/** The text file at a path. A file that is not text is refused, so that it is never corrupted. */
export async function loadText(files: Files, path: string): Promise<Loaded> {
  const place = await locate(files, path)
  if (place.kind === 'refused') return place
  if (place.entry === 'folder') return { kind: 'refused', why: `${place.shown} is a folder, not a file.` }
  const look = await readFileNow(place.path)
  if (look.kind === 'absent') return { kind: 'absent', place }
  if (look.kind === 'unreadable') return { kind: 'refused', why: `${place.shown} cannot be read: ${look.why}.` }
  const decoded = decode(look.file.bytes)
  if (decoded.kind === 'not_text') return { kind: 'refused', why: `${place.shown} is left alone: ${decoded.why}.` }
  return { kind: 'loaded', place, file: { ...look.file, text: decoded.text } }
}
