import { type FilePart, fileLimits, imageFacts, type Signal } from '@loader/session-core'
import { plainImage } from './plain-image.ts'
import { redraw, type Redrawn, scaler } from './redraw.ts'

/** A file as models take it, with what was done to it, or why there is none. */
export type ForModel =
  | { readonly kind: 'part'; readonly part: FilePart; readonly note: string }
  | { readonly kind: 'refused'; readonly why: string }

/** Above so many pixels nothing is decoded: each takes several bytes, whatever the size of the file. */
const mostPixels = 50_000_000

/** Bytes whose base64 is as long as it may be. */
const mostBytes = Math.floor(fileLimits.imageBase64Bytes / 4) * 3

/**
 * An image as every provider takes it: of a kind and size that none refuses, upright, and without metadata. It is only
 * drawn again where it has to be.
 */
export async function modelImage(bytes: Uint8Array, name: string, signal?: Signal): Promise<ForModel> {
  const facts = imageFacts(bytes)
  if (facts === undefined) return refused('it is neither PNG, JPEG, GIF nor WebP')
  const { width, height } = facts
  const size = `${width} x ${height} pixels`
  const plain = plainImage(bytes)
  if (plain.kind === 'broken') return refused(plain.why)
  if (width * height > mostPixels) return refused(`it has ${size}, and at most ${mostPixels / 1e6} million are read`)
  const isLarge = Math.max(width, height) > fileLimits.imageEdge || plain.bytes.length > mostBytes
  // Not every provider takes GIF, and not every local server WebP.
  const isUsual = facts.mediaType === 'image/png' || facts.mediaType === 'image/jpeg'
  const isRedrawn = isLarge || !isUsual || plain.orientation !== 1 || plain.take === 'first'
  const drawn = await redraw({
    bytes: plain.bytes,
    orientation: plain.orientation,
    edge: fileLimits.scaledEdge,
    most: mostBytes,
    what: isRedrawn ? (/jpeg|webp/.test(facts.mediaType) ? 'jpeg' : 'png') : 'look',
    signal,
  })
  switch (drawn.kind) {
    case 'refused':
      return refused(drawn.why)
    case 'absent':
      if (isLarge || plain.take === 'first') return refused(tooLarge(size, plain.take === 'first'))
      return part(
        name,
        facts.mediaType,
        plain.bytes,
        `${size}, ${told(plain.bytes)}${turnedOnPaper(plain.orientation)}`,
      )
    case 'looked':
      return part(name, facts.mediaType, plain.bytes, `${size}, ${told(plain.bytes)}`)
    case 'drawn':
      return part(name, drawn.mediaType, drawn.bytes, `${size}, sent as ${sizeOf(drawn)}, ${told(drawn.bytes)}`)
    default:
      return drawn satisfies never
  }
}

function sizeOf({ width, height }: Extract<Redrawn, { kind: 'drawn' }>): string {
  return `${width} x ${height}`
}

function turnedOnPaper(orientation: number): string {
  return orientation === 1 ? '' : `, not upright: ${scaler} is not installed`
}

function tooLarge(size: string, moves: boolean): string {
  const most = `Models take at most ${fileLimits.imageEdge} pixels and ${fileLimits.imageBase64Bytes / 1024 / 1024} MiB in base64`
  const why = moves ? 'it moves, and models take one picture' : `it has ${size}. ${most}`
  return `${why}. Install ${scaler}, which makes it fit, or give a smaller one.`
}

function part(name: string, mediaType: string, bytes: Uint8Array, note: string): ForModel {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  return { kind: 'part', part: { type: 'file', mediaType, name, source: { kind: 'base64', data } }, note }
}

export function told(bytes: Uint8Array): string {
  return bytes.length < 10_240 ? `${bytes.length} bytes` : `${Math.round(bytes.length / 1024)} KiB`
}

function refused(why: string): ForModel {
  return { kind: 'refused', why: why.endsWith('.') ? why : `${why}.` }
}
