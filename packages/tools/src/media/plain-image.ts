import { type ImageFacts, imageFacts } from '@loader/session-core'
import { exifOrientation } from './exif-orientation.ts'
import { plainGif } from './plain-gif.ts'
import { plainJpeg } from './plain-jpeg.ts'
import { plainPng } from './plain-png.ts'
import { plainWebp } from './plain-webp.ts'

/** An image with nothing in it but the picture. */
export interface PlainImage {
  readonly kind: 'image'
  readonly facts: ImageFacts
  /** The same picture without metadata (where and when it was taken, comments) and without what follows its end. */
  readonly bytes: Uint8Array
  /** How it has to be turned to be upright, as Exif numbers it; 1: it is upright. */
  readonly orientation: number
  /** `first`: it moves, and only a decoder can take its first picture out of it. */
  readonly take: 'all' | 'first'
}

/** What the parts of an image are, as far as they are needed. */
export interface Stripped {
  readonly pieces: readonly Uint8Array[]
  readonly exif?: Uint8Array | undefined
  readonly moves?: boolean
}

export type Broken = { readonly kind: 'broken'; readonly why: string }

/**
 * Reads an image piece by piece, and keeps the pieces that the picture is made of. Nothing is decoded, and what the
 * header promises costs nothing: an image of any size on paper is looked at as cheaply as a small one.
 */
export function plainImage(bytes: Uint8Array): PlainImage | Broken {
  const facts = imageFacts(bytes)
  if (facts === undefined) return { kind: 'broken', why: 'its beginning cannot be read' }
  const stripped = strip[facts.mediaType](bytes)
  if (typeof stripped === 'string') return { kind: 'broken', why: stripped }
  const { pieces, exif, moves = false } = stripped
  return {
    kind: 'image',
    facts,
    bytes: Buffer.concat(pieces),
    orientation: exif === undefined ? 1 : exifOrientation(exif),
    take: moves ? 'first' : 'all',
  }
}

const strip: Record<ImageFacts['mediaType'], (bytes: Uint8Array) => Stripped | string> = {
  'image/png': plainPng,
  'image/jpeg': plainJpeg,
  'image/gif': plainGif,
  'image/webp': plainWebp,
}
