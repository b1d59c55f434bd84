import type { Signal } from '@loader/session-core'
import * as z from 'zod'
import { inWorker } from './in-worker.ts'
import { optionalFile } from './optional-module.ts'

export const scaler = '@silvia-odwyer/photon-node'

export interface RedrawOptions {
  readonly bytes: Uint8Array
  readonly orientation: number
  /** Pixels of the longer edge at most. */
  readonly edge: number
  /** Bytes of the result at most. */
  readonly most: number
  /** `look`: only whether it can be decoded. */
  readonly what: 'look' | 'jpeg' | 'png'
  readonly signal?: Signal | undefined
}

export type Redrawn =
  | {
      readonly kind: 'drawn'
      readonly bytes: Uint8Array
      readonly mediaType: 'image/jpeg' | 'image/png'
      readonly width: number
      readonly height: number
    }
  | { readonly kind: 'looked' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly why: string }

const timeoutMs = 60_000
/** What is sharp in PNG, such as a screenshot, is small in it; the rest goes as JPEG. */
const mostPng = 1024 * 1024

const Answer = z.union([
  z.object({ kind: z.literal('looked') }),
  z.object({
    kind: z.literal('drawn'),
    bytes: z.instanceof(Uint8Array),
    mediaType: z.enum(['image/jpeg', 'image/png']),
    width: z.int(),
    height: z.int(),
  }),
])

/** Decodes an image and, if wanted, draws it again: upright, smaller, without metadata. Absent without the package. */
export async function redraw({ signal, ...options }: RedrawOptions): Promise<Redrawn> {
  const path = optionalFile(scaler, 'photon_rs.js')
  if (path === undefined) return { kind: 'absent' }
  const worked = await inWorker(body, { ...options, path, mostPng }, { timeoutMs, signal })
  if (worked.kind === 'done') return Answer.parse(worked.value)
  if (worked.kind === 'timed_out')
    return { kind: 'refused', why: `it takes longer than ${timeoutMs / 1000} s to decode` }
  return { kind: 'refused', why: worked.kind === 'cancelled' ? 'it was cancelled' : 'it cannot be decoded' }
}

/** Turning is done on the pixels: the library does not look at the orientation. */
const body = `
const photon = require(data.path)
let image = photon.PhotonImage.new_from_byteslice(data.bytes)
if (data.what === 'look') return { kind: 'looked' }
const scaled = (edge) => {
  const [width, height] = [image.get_width(), image.get_height()]
  const ratio = Math.min(1, edge / Math.max(width, height))
  const size = (pixels) => Math.max(1, Math.round(pixels * ratio))
  return ratio === 1 ? image : photon.resize(image, size(width), size(height), photon.SamplingFilter.CatmullRom)
}
const upright = (drawn) => {
  if (data.orientation < 2) return drawn
  const [width, height] = [drawn.get_width(), drawn.get_height()]
  const from = new Uint32Array(drawn.get_raw_pixels().slice().buffer)
  const turned = data.orientation > 4
  const to = new Uint32Array(from.length)
  const row = turned ? height : width
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) {
    const [right, down] = [width - 1 - x, height - 1 - y]
    const [newX, newY] = [[x, y], [right, y], [right, down], [x, down], [y, x], [down, x], [down, right], [y, right]][data.orientation - 1]
    to[newY * row + newX] = from[y * width + x]
  }
  return new photon.PhotonImage(new Uint8Array(to.buffer), row, turned ? width : height)
}
const isOpaque = (drawn) => {
  const pixels = drawn.get_raw_pixels()
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false
  return true
}
for (let edge = data.edge; edge >= 64; edge = Math.floor(edge * 0.7)) {
  const drawn = upright(scaled(edge))
  const sized = { kind: 'drawn', width: drawn.get_width(), height: drawn.get_height() }
  const isClear = !isOpaque(drawn)
  if (data.what === 'png' || isClear) {
    const bytes = drawn.get_bytes()
    if (bytes.length <= (isClear ? data.most : data.mostPng)) return { ...sized, bytes, mediaType: 'image/png' }
    if (isClear) continue
  }
  const bytes = drawn.get_bytes_jpeg(85)
  if (bytes.length <= data.most) return { ...sized, bytes, mediaType: 'image/jpeg' }
}
throw new Error('it does not become small enough')
`
