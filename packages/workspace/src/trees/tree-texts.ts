import { treeEntries, readBlobs } from './ask-side.ts'
import type { TreeTexts } from './trees-shown.ts'
import { shownRawPath } from './raw-path.ts'
import type { SideRepository } from './side-repository.ts'

const link = '120000'
/** How many files are read by one git process. */
const chunk = 400
const largestText = 8 * 1024 * 1024

export async function treeTexts(side: SideRepository, tree: string): Promise<TreeTexts> {
  const entries = new Map([...(await treeEntries(side, tree))].map(([path, entry]) => [shownRawPath(path), entry]))
  const paths = [...entries.keys()]
  const ahead = readAhead(
    side,
    [...entries.values()].map(({ blob }) => blob),
  )
  const links = await readBlobs(
    side,
    [...entries.values()].filter(({ mode }) => mode === link).map(({ blob }) => blob),
  )
  return {
    entries,
    paths,
    async text(path) {
      const entry = entries.get(path)
      if (entry === undefined || entry.mode === link) return undefined
      const bytes = (await readBlobs(side, [entry.blob])).get(entry.blob)
      if (bytes === undefined || bytes.length > largestText || bytes.subarray(0, 8192).includes(0)) return undefined
      return bytes.toString('utf8')
    },
    sources: [...entries].map(([path, { mode, blob }]) => ({
      path,
      id: blob,
      read: () => ahead(blob),
      ...(mode === link && { link: links.get(blob)?.toString('utf8') ?? '' }),
    })),
  }
}

/** Reads a blob together with those likely to be read next; only the latest batch is kept. */
function readAhead(side: SideRepository, order: readonly string[]): (blob: string) => Promise<Uint8Array> {
  const places = new Map(order.map((blob, index) => [blob, index]))
  let kept: ReadonlyMap<string, Uint8Array> = new Map()
  return async (blob) => {
    const known = kept.get(blob)
    if (known !== undefined) return known
    const from = places.get(blob) ?? 0
    kept = await readBlobs(side, [blob, ...order.slice(from, from + chunk)])
    return kept.get(blob) ?? new Uint8Array()
  }
}
