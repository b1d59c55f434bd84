import { realpathSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { type FilePart, imageFacts, type Signal } from '@loader/session-core'
import { codeOf, decode } from '@loader/workspace'
import { isPdf, modelDocument } from './model-document.ts'
import { modelImage } from './model-image.ts'
import { readStable } from './read-stable.ts'

/** A file of the user: one on disk, or bytes without a file, such as a picture from the clipboard. */
export type GivenFile = string | { readonly name: string; readonly bytes: Uint8Array }

/** What the user says, with files as models take them. */
export interface UserParts {
  readonly text: string
  readonly files: readonly FilePart[]
  /** What is sent of each file, for the user: `photo.jpg: 4000 x 3000 pixels, sent as 1568 x 1176, 212 KiB`. */
  readonly notes: readonly string[]
  /** Why files cannot be sent. */
  readonly refused: readonly string[]
}

/** Where files of a user are. */
export interface PartsOptions {
  /** Relative paths begin here. */
  readonly folder: string
  readonly signal?: Signal | undefined
}

/** Text files become part of what is said, up to this length. */
const longestText = 256 * 1024

/**
 * Images, PDF files and texts of the user as parts of a message. What a file is, its bytes say and not its name. Images
 * lose their metadata, are turned upright and scaled; text files are quoted in the text.
 */
export async function partsOf(text: string, files: readonly GivenFile[], options: PartsOptions): Promise<UserParts> {
  const made = []
  // One by one: each may take hundreds of megabytes while it is decoded.
  for (const file of files) made.push(await partOf(file, options))
  return {
    text: [text, ...made.flatMap((one) => (one.kind === 'quoted' ? [one.text] : []))].join('\n\n'),
    files: made.flatMap((one) => (one.kind === 'part' ? [one.part] : [])),
    notes: made.flatMap((one) => (one.kind === 'refused' ? [] : [`${one.name}: ${one.note}`])),
    refused: made.flatMap((one) => (one.kind === 'refused' ? [`${one.name}: ${one.why}`] : [])),
  }
}

type Made = { readonly name: string } & (
  | { readonly kind: 'part'; readonly part: FilePart; readonly note: string }
  | { readonly kind: 'quoted'; readonly text: string; readonly note: string }
  | { readonly kind: 'refused'; readonly why: string }
)

async function partOf(file: GivenFile, { folder, signal }: PartsOptions): Promise<Made> {
  const name = shownName(typeof file === 'string' ? basename(file) : file.name)
  const found = typeof file === 'string' ? await bytesOf(resolve(folder, file)) : file
  if ('why' in found) return { kind: 'refused', name, why: found.why }
  const { bytes } = found
  if (bytes.length === 0) return { kind: 'refused', name, why: 'it is empty.' }
  if (isPdf(bytes)) return { name, ...modelDocument(bytes, name) }
  if (imageFacts(bytes) !== undefined) return { name, ...(await modelImage(bytes, name, signal)) }
  const decoded = decode(bytes)
  if (decoded.kind === 'not_text' || decoded.text.length > longestText) {
    const why = 'it is not an image (PNG, JPEG, GIF, WebP), a PDF file, or a text of at most 256 KiB.'
    return { kind: 'refused', name, why }
  }
  return { kind: 'quoted', name, text: quoted(name, decoded.text), note: `text, ${decoded.text.length} characters` }
}

async function bytesOf(path: string): Promise<{ readonly bytes: Uint8Array } | { readonly why: string }> {
  const absent = { why: `there is no such file: ${shownName(path)}` }
  try {
    // Given by the user: a link is what they mean. The path that was checked is then read without following any.
    const look = await readStable(realpathSync(path))
    return look.kind === 'absent' ? absent : look.kind === 'refused' ? { why: look.why } : { bytes: look.bytes }
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return absent
  }
}

/** A fence that the text does not have, so that it cannot end its quotation. */
function quoted(name: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${name}:\n${fence}\n${text.trimEnd()}\n${fence}`
}

/** A name can hold anything, and goes to the model and to terminals: on one line, without control characters. */
export function shownName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '_')
  return plain.length <= 120 ? plain : `${plain.slice(0, 60)}…${plain.slice(-58)}`
}
