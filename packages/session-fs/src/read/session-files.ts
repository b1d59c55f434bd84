import { LoaderError } from '@loader/session-core'
import type { Disk } from '../disk/disk.ts'
import { ancestorsOf, type Origins } from '../format/ancestors.ts'
import { hex } from '../format/checksum.ts'
import { type HeadContent, type HeadStore, parseHead } from '../format/head.ts'
import { type Layout, segmentNumbers } from '../format/layout.ts'
import { firstSeed, isSegmentOf, parseSegment, shownSum } from '../format/segment.ts'
import type { FoundFiles } from './log.ts'

/** Reads what belongs to a session: everything, or, where a good head spares it, only what is newer than the head. */
export function findFiles(disk: Disk, layout: Layout, id: string, head = readHead(disk, layout, id)): FoundFiles {
  const journal = () => disk.readIfThere(layout.journal)
  const ancestors = ancestorsOf(
    id,
    originsOf(disk, layout, () => listedNumbers(disk, layout, id)),
  )
  if (head.kind === 'good') {
    // A state may be saved a moment after the events behind it were sealed: then it needs those as well.
    const first = head.state.seq < head.store.lastSealedSeq ? 1 : Math.max(1, head.store.segments)
    const segments = readSegments(disk, layout, numbersFrom(disk, layout, first))
    if (fits(disk, layout, id, head.store, segments)) return { id, ancestors, head, segments, journal: journal() }
  }
  const segments = readSegments(disk, layout, listedNumbers(disk, layout, id))
  return { id, ancestors, head: head.kind === 'good' ? { kind: 'damaged' } : head, segments, journal: journal() }
}

export type FoundHead = HeadContent | { readonly kind: 'missing' }

/** It is a cache: one that cannot be read stops nobody, and is made anew as a damaged one is. */
export function readHead(disk: Disk, layout: Layout, id: string): FoundHead {
  const bytes = disk.readCache(layout.head)
  if (bytes === undefined && disk.exists(layout.head)) return { kind: 'damaged' }
  return parsedHead(bytes, id)
}

/** What these bytes are, as the head of this session. */
export function parsedHead(bytes: Uint8Array | undefined, id: string): FoundHead {
  if (bytes === undefined) return { kind: 'missing' }
  try {
    const head = parseHead(bytes)
    const isOther = head.kind === 'good' && head.state.id.toLowerCase() !== id.toLowerCase()
    return isOther ? { kind: 'damaged' } : head
  } catch (error) {
    // It checks, but is no state: nothing that this version has written.
    if (LoaderError.is(error, 'invalid_state')) return { kind: 'damaged' }
    throw error
  }
}

/** Whether a head was saved over these segments. One that names another segment than is there belongs elsewhere. */
function fits(
  disk: Disk,
  layout: Layout,
  id: string,
  { segments: number, chain }: HeadStore,
  found: FoundFiles['segments'],
): boolean {
  if (number === 0) return chain === hex(firstSeed(id))
  const bytes = found.find((segment) => segment.number === number)?.bytes
  if (bytes === undefined || hex(shownSum(bytes) ?? 0) === chain) return true
  const named = parseSegment(bytes)
  if (named === undefined || !isSegmentOf(named, id, number)) return true
  const before = number === 1 ? undefined : disk.readIfThere(layout.segment(number - 1))
  // Where the segment does not continue from the one before either, it is the segment that is out of place.
  return named.previous !== (number === 1 ? firstSeed(id) : before && parseSegment(before)?.sum)
}

/** Where it shows which sessions a session was forked from. Nothing is read until somebody asks. */
export function originsOf(disk: Disk, layout: Layout, numbers: () => readonly number[]): Origins {
  return {
    *segments() {
      for (const number of numbers().toReversed()) {
        const bytes = disk.readIfThere(layout.segment(number))
        if (bytes !== undefined) yield bytes
      }
    },
    head: () => disk.readCache(layout.head),
    journal: () => disk.readIfThere(layout.journal),
  }
}

function readSegments(disk: Disk, layout: Layout, numbers: readonly number[]): FoundFiles['segments'] {
  return numbers.flatMap((number) => {
    const bytes = disk.readIfThere(layout.segment(number))
    return bytes === undefined ? [] : [{ number, bytes }]
  })
}

export function listedNumbers(disk: Disk, layout: Layout, id: string): number[] {
  return disk.exists(layout.directory) ? segmentNumbers(disk.fs.readdirSync(layout.directory), id) : []
}

function numbersFrom(disk: Disk, layout: Layout, first: number): number[] {
  const numbers: number[] = []
  for (let number = first; disk.exists(layout.segment(number)); number += 1) numbers.push(number)
  return numbers
}
