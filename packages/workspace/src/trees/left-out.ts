import type { LeftOut } from '@loader/session-core/coding'
import { type RawPath, shownRawPath } from './raw-path.ts'

/** Why a path is in no tree. */
type LeftOutKind = 'ignored' | 'large' | 'nested' | 'empty' | 'special' | 'unreadable' | 'unstorable' | 'unlisted'

export interface LeftOutPath {
  readonly kind: LeftOutKind
  readonly path: RawPath
  /** The identity of its content, if known. */
  readonly content?: string
}

const mostNames = 20

/** For people: counts by kind. */
export function countLeftOut(prefix: RawPath, paths: readonly LeftOutPath[]): LeftOut[] {
  const kinds = [...new Set(paths.map(({ kind }) => kind))].sort()
  return kinds.map((kind) => {
    const names = paths.filter((each) => each.kind === kind).map(({ path }) => path.slice(prefix.length))
    return { kind, count: names.length, names: names.sort().slice(0, mostNames).map(shownRawPath) }
  })
}
