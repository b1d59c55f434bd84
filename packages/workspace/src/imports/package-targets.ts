import type { ImportKind } from './file-reading.ts'

/** The target of an entry of `exports` or `imports`, with the conditions for it. */
export interface PackageTarget {
  readonly text: string
  readonly conditions: readonly string[]
}

const mostTargets = 200
const deepest = 20

/**
 * The targets of a subpath (`.`, `./sub`, `#name`), in the order of the manifest. The conditions of the running program
 * are unknown, so the targets of every condition that this kind of import can have are included.
 */
export function targetsOf(
  entries: unknown,
  subpath: string,
  by: 'import' | 'require' | 'path',
  kind: ImportKind,
): readonly PackageTarget[] {
  const { value, star } = entryOf(entries, subpath)
  const all: PackageTarget[] = []
  collect(value, star, [], all, 0)
  const other = by === 'require' ? 'import' : 'require'
  const possible = all.filter((it) => !it.conditions.includes(other))
  if (kind === 'type') return possible
  const values = possible.filter((it) => !it.conditions.some((name) => name === 'types' || name.startsWith('types@')))
  return values.length > 0 ? values : possible
}

function entryOf(entries: unknown, subpath: string): { readonly value: unknown; readonly star: string } {
  if (!isRecord(entries) || !Object.keys(entries).some((key) => /^[.#]/.test(key))) {
    return { value: subpath === '.' ? entries : undefined, star: '' }
  }
  if (Object.hasOwn(entries, subpath) && !subpath.includes('*')) return { value: entries[subpath], star: '' }
  const fitting = Object.keys(entries)
    .map((key) => ({ key, head: key.replace(/\*.*|(?<=\/)$/, ''), tail: /\*(.*)$/.exec(key)?.[1] ?? '' }))
    .filter(({ key, head, tail }) => {
      const isPattern = key.includes('*') || key.endsWith('/')
      return (
        isPattern && subpath.length > head.length + tail.length && subpath.startsWith(head) && subpath.endsWith(tail)
      )
    })
    .toSorted((a, b) => b.head.length - a.head.length || b.tail.length - a.tail.length)
  const [best] = fitting
  if (best === undefined) return { value: undefined, star: '' }
  return { value: entries[best.key], star: subpath.slice(best.head.length, subpath.length - best.tail.length) }
}

function collect(
  value: unknown,
  star: string,
  conditions: readonly string[],
  all: PackageTarget[],
  depth: number,
): void {
  if (all.length >= mostTargets || depth > deepest) return
  if (typeof value === 'string') {
    all.push({ text: value.endsWith('/') ? value + star : value.replaceAll('*', () => star), conditions })
  } else if (Array.isArray(value)) {
    for (const one of value) collect(one, star, conditions, all, depth + 1)
  } else if (isRecord(value)) {
    for (const [condition, one] of Object.entries(value)) collect(one, star, [...conditions, condition], all, depth + 1)
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
