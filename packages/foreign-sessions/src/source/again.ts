import { crc32 } from 'node:zlib'
import { LoaderError } from '@loader/session-core'
import type { SourceFile } from './source-file.ts'

/** Reads a value of a file again, so that only the fields needed at once are kept in memory. */
export type Again = () => object

/** A function that parses these bytes of the file again. The file must not have changed. */
export function readAgain(file: SourceFile, from: number, bytes: Uint8Array): Again {
  const to = from + bytes.length
  const sum = crc32(bytes)
  return () => {
    const there = file.bytesBetween(from, to)
    const value = crc32(there) === sum ? parsed(textOf(there)) : undefined
    if (typeof value === 'object' && value !== null) return value
    throw new LoaderError(
      'invalid_config',
      `${file.path} was changed while it was read. Nothing was imported; import it again when nothing writes to it.`,
    )
  }
}

export function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length)
    .toString('utf8')
    .replace(/^\ufeff/, '')
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
