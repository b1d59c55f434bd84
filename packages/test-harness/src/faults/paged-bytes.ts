import { createHash } from 'node:crypto'

/** The bytes of a file as an immutable value: a change copies the pages it touches and shares the rest. */
export interface PagedBytes {
  readonly size: number
  /** Full pages, padded with zeros, so that equal bytes are equal pages. */
  readonly pages: readonly Uint8Array[]
}

const pageSize = 4096

const zeros = new Uint8Array(pageSize)

export const noBytes: PagedBytes = { size: 0, pages: [] }

export function bytesOf(data: Uint8Array): PagedBytes {
  return overwrite(noBytes, 0, data)
}

/** Overwrites bytes; a gap before them is filled with zeros. */
export function overwrite(bytes: PagedBytes, position: number, data: Uint8Array): PagedBytes {
  const end = position + data.length
  const { size, pages } = resize(bytes, Math.max(bytes.size, end))
  const changed = pages.slice()
  for (let at = position; at < end;) {
    const index = Math.floor(at / pageSize)
    const offset = at - index * pageSize
    const length = Math.min(pageSize - offset, end - at)
    const page = (pages[index] as Uint8Array).slice()
    page.set(data.subarray(at - position, at - position + length), offset)
    changed[index] = page
    at += length
  }
  return { size, pages: changed }
}

export function resize(bytes: PagedBytes, size: number): PagedBytes {
  if (size === bytes.size) return bytes
  const count = Math.ceil(size / pageSize)
  if (size > bytes.size) {
    const added = Array.from({ length: count - bytes.pages.length }, () => zeros)
    return { size, pages: [...bytes.pages, ...added] }
  }
  const pages = bytes.pages.slice(0, count)
  const used = size - (count - 1) * pageSize
  if (count > 0 && used < pageSize) pages[count - 1] = (pages[count - 1] as Uint8Array).slice().fill(0, used)
  return { size, pages }
}

/** Copies into `into`, and returns the number of bytes. */
export function copyOut({ size, pages }: PagedBytes, position: number, into: Uint8Array): number {
  const end = Math.min(size, position + into.length)
  for (let at = position; at < end;) {
    const index = Math.floor(at / pageSize)
    const offset = at - index * pageSize
    const length = Math.min(pageSize - offset, end - at)
    into.set((pages[index] as Uint8Array).subarray(offset, offset + length), at - position)
    at += length
  }
  return Math.max(0, end - position)
}

export function allOf(bytes: PagedBytes): Uint8Array {
  const all = new Uint8Array(bytes.size)
  copyOut(bytes, 0, all)
  return all
}

const digests = new WeakMap<object, string>()

/** Equal for the same bytes, and only for those. */
export function digestOf(bytes: PagedBytes): string {
  return remembered(bytes, () => {
    const hash = createHash('sha1').update(String(bytes.size))
    for (const page of bytes.pages) hash.update(pageDigest(page))
    return hash.digest('base64')
  })
}

function pageDigest(page: Uint8Array): string {
  return remembered(page, () => createHash('sha1').update(page).digest('base64'))
}

function remembered(key: object, make: () => string): string {
  const digest = digests.get(key) ?? make()
  digests.set(key, digest)
  return digest
}
