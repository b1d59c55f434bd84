import { checksum } from './checksum.ts'
import { type ExaminedSegment, type ExpectedPlace, examineSegment } from './examine-segment.ts'
import { firstSeed, shownPlace, shownSum } from './segment.ts'

/** Where the ids of other sessions can be learnt from, read when there is need. */
export interface Origins {
  /** In any condition, the newest first. */
  segments(): Iterable<Uint8Array>
  journal(): Uint8Array | undefined
  snapshot(): Uint8Array | undefined
}

/**
 * Examines a segment of a session, or one that it shares with a session that it was forked from: that one bears the id of
 * the other, and the first of all continues from it.
 */
export function examineShared(
  bytes: Uint8Array,
  expected: ExpectedPlace & { readonly previous: number | undefined },
  ancestors: () => readonly string[],
): ExaminedSegment {
  const own = examineSegment(bytes, expected)
  if (isWhole(own)) return own
  const others = ancestors().map((id) => {
    const previous = expected.number === 1 ? firstSeed(id) : expected.previous
    return examineSegment(bytes, { ...expected, id, previous })
  })
  const whole = others.find(isWhole)
  const damaged = others.find((other) => other.kind === 'damaged' && other.events.length > 0)
  return whole ?? (own.kind === 'damaged' && own.events.length > 0 ? own : (damaged ?? own))
}

function isWhole({ kind }: ExaminedSegment): boolean {
  return kind === 'intact' || kind === 'scratched'
}

/** The ids of the sessions that a session was forked from. They are looked for once, at the first call. */
export function ancestorsOf(id: string, origins: Origins): () => readonly string[] {
  let found: readonly string[] | undefined
  return () => (found ??= findAncestors(id, origins))
}

/**
 * They are named by the events that say where a session comes from, and they show in the chain of the segments, each of
 * which continues from the one before. Either of the two is enough, so that no damage to one hides them.
 */
function findAncestors(id: string, origins: Origins): readonly string[] {
  const own = id.toLowerCase()
  const links = [...linksIn(origins.journal()), ...parentsIn(origins.snapshot()).map((from) => [own, from] as const)]
  let after: { readonly id: string; readonly previous: number } | undefined
  for (const bytes of origins.segments()) {
    links.push(...linksIn(bytes))
    const place = shownPlace(bytes)
    const continues = after !== undefined && sumsOf(bytes).includes(after.previous)
    if (place && after && continues) links.push([after.id, place.id.toLowerCase()])
    after = place && { id: place.id.toLowerCase(), previous: place.previous }
  }
  const ids = new Set([own])
  // The set grows during this loop, which also visits the ids that are added.
  for (const each of ids) for (const [to, from] of links) if (to === each) ids.add(from)
  return [...ids].slice(1)
}

const forked = /"type":"session\.forked","seq":\d+,"at":"[^"]*","id":"([^"]+)","from":\{"id":"([^"]+)"/g
const forkedFrom = /"forkedFrom": ?\{"id":"([^"]+)"/g

function linksIn(bytes: Uint8Array | undefined): (readonly [to: string, from: string])[] {
  return Array.from(matches(bytes, forked), ([, to = '', from = '']) => [to.toLowerCase(), from.toLowerCase()] as const)
}

function parentsIn(snapshot: Uint8Array | undefined): string[] {
  return Array.from(matches(snapshot, forkedFrom), ([, from = '']) => from.toLowerCase())
}

function matches(bytes: Uint8Array | undefined, pattern: RegExp): Iterable<RegExpMatchArray> {
  if (bytes === undefined) return []
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return buffer.includes('orked') ? buffer.toString('latin1').matchAll(pattern) : []
}

const closingLength = ',"checksum":"00000000"}\n'.length

/** The checksum that a segment shows and the one that it has: after damage, one of them is as it was. */
function sumsOf(bytes: Uint8Array): (number | undefined)[] {
  return [shownSum(bytes), checksum(bytes.subarray(0, Math.max(0, bytes.length - closingLength)))]
}
