import { type CacheBlock, cacheBlocks, isThinking } from './blocks.ts'

const most = 4

/** What Anthropic refuses of the cache marks of a request. */
export function cacheMarkFaults(body: unknown): readonly string[] {
  const marked = cacheBlocks(body).filter(({ mark }) => mark !== undefined)
  return [...tooMany(marked), ...misplaced(marked), ...outOfOrder(marked)]
}

function tooMany(marked: readonly CacheBlock[]): string[] {
  if (marked.length <= most) return []
  return [`A maximum of ${most} blocks with cache_control may be provided. Found ${marked.length}.`]
}

function misplaced(marked: readonly CacheBlock[]): string[] {
  return marked.flatMap((block) => {
    if (block.isEmptyText) return [`${block.place}: cache_control cannot be set for empty text blocks`]
    return isThinking(block) ? [`${block.place}.${block.type}.cache_control: Extra inputs are not permitted`] : []
  })
}

function outOfOrder(marked: readonly CacheBlock[]): string[] {
  const short = marked.findIndex(({ mark }) => mark === '5m')
  const late = short < 0 ? undefined : marked.slice(short).find(({ mark }) => mark === '1h')
  if (late === undefined) return []
  return [
    `${late.place}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control ` +
      'block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.',
  ]
}
