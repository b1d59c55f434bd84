import { type CacheBlock, cacheBlocks, type CacheTime } from './blocks.ts'

/** What is kept: when each prefix is forgotten, by the prefix and the time it was written for. Never changed. */
export type PromptCache = ReadonlyMap<string, Entry>

interface Entry {
  readonly time: CacheTime
  readonly until: number
}

/** How the tokens of a request are paid for. */
export interface CacheCount {
  readonly read: number
  /** Written for five minutes. */
  readonly written: number
  readonly writtenForAnHour: number
  /** All of the request, with what was read and written. */
  readonly total: number
}

export const noCache: PromptCache = new Map()

const minute = 60_000
const lifetimes = { '5m': 5 * minute, '1h': 60 * minute } as const
/** Positions that are looked at from a mark, itself included. */
const lookBack = 20

/** The count of a request at this time in milliseconds, and the cache behind it. `rules.ts` says where this is from. */
export function throughCache(
  cache: PromptCache,
  body: unknown,
  { model, now }: { readonly model: string; readonly now: number },
): { readonly count: CacheCount; readonly cache: PromptCache } {
  const blocks = cacheBlocks(body)
  const living = new Map([...cache].filter(([, { until }]) => until > now))
  const marks = blocks.flatMap((block, at) => (block.mark === undefined ? [] : [at]))
  const hit = Math.max(-1, ...marks.map((at) => entryBefore(living, blocks, at)))
  const read = tokensAt(blocks, hit)
  const least = minimumFor(model)
  const written = marks.filter((at) => at > hit && tokensAt(blocks, at) >= least)
  const anHour = written.filter((at) => blocks[at]?.mark === '1h').at(-1)
  const hour = anHour === undefined ? read : tokensAt(blocks, anHour)
  const end = Math.max(hour, tokensAt(blocks, written.at(-1) ?? hit))
  // A read renews the entry that was found, at no cost; so it does the others on the way to it.
  for (const at of [...marks.filter((mark) => mark <= hit), hit]) renew(living, blocks[at], now)
  for (const at of written) write(living, blocks[at], now)
  return {
    count: { read, written: end - hour, writtenForAnHour: hour - read, total: tokensAt(blocks, blocks.length - 1) },
    cache: living,
  }
}

/** The index of the nearest block with an entry; -1 if none is near enough. */
function entryBefore(cache: PromptCache, blocks: readonly CacheBlock[], mark: number): number {
  for (let at = mark; at >= 0 && at > mark - lookBack; at -= 1) {
    if (cache.has(blocks[at]?.prefix ?? '')) return at
  }
  return -1
}

function renew(cache: Map<string, Entry>, block: CacheBlock | undefined, now: number): void {
  const entry = block && cache.get(block.prefix)
  if (entry !== undefined) cache.set(block?.prefix ?? '', { ...entry, until: now + lifetimes[entry.time] })
}

function write(cache: Map<string, Entry>, block: CacheBlock | undefined, now: number): void {
  if (block?.mark === undefined) return
  cache.set(block.prefix, { time: block.mark, until: now + lifetimes[block.mark] })
}

function tokensAt(blocks: readonly CacheBlock[], at: number): number {
  return blocks[at]?.tokens ?? 0
}

/** The shortest prefix that is kept, in tokens. */
export function minimumFor(model: string): number {
  return minimums.find(([pattern]) => pattern.test(model))?.[1] ?? 1024
}

const minimums: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/mythos-preview|opus-4-7/, 2048],
  [/opus-5|fable-5|mythos-5/, 512],
  [/opus-4-[56]|haiku-4-5/, 4096],
  [/haiku-3|3-5-haiku|3-haiku/, 2048],
]
