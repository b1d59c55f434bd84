import type { BeforeTree } from '@loader/session-core/coding'

export type { BeforeTree } from '@loader/session-core/coding'

/** The events that move the before tree (B), which later turns are compared with. Nothing else moves it. */
export type BeforeEvent =
  /** A turn was verified on this tree. */
  | {
      readonly kind: 'verified'
      readonly tree: string
      readonly product: readonly string[]
      readonly aside: readonly { readonly path: string; readonly change: 'new' | 'changed' | 'deleted' }[]
    }
  /** The user accepted these paths as they are in this tree. */
  | { readonly kind: 'accepted'; readonly tree: string; readonly paths: readonly string[] }
  /**
   * Paths became what they are in this tree by a commit, an edit or a switch of branches. `while` says whether a call
   * ran at that time: changes outside of calls are the user's and are trusted; a commit made by a call proves nothing.
   */
  | {
      readonly kind: 'committed' | 'edited'
      readonly while: 'a_call_ran' | 'no_call_ran'
      readonly tree: string
      readonly paths: readonly string[]
    }
  /**
   * The session continues from an earlier point, or from a point of another session, with the before tree of that
   * point.
   */
  | { readonly kind: 'rewound'; readonly before: BeforeTree }
  /** The mixed tree was built and is now one tree. */
  | { readonly kind: 'made'; readonly tree: string }

/** The before tree of a new session, or of an older or imported one at the start of its next turn. */
export function beforeAt(tree: string): BeforeTree {
  return { base: tree, layers: [] }
}

/**
 * The before tree after one more event: what the user accepted, changed or committed no longer counts as a change of
 * the turn.
 */
export function moveBefore(before: BeforeTree, event: BeforeEvent): BeforeTree {
  switch (event.kind) {
    case 'verified': {
      const fresh = event.aside.filter(({ change }) => change === 'new').map(({ path }) => path)
      return withPaths(before, event.tree, [...event.product, ...fresh])
    }
    case 'accepted':
      return withPaths(before, event.tree, event.paths)
    case 'committed':
    case 'edited':
      return event.while === 'a_call_ran' ? before : withPaths(before, event.tree, event.paths)
    case 'rewound':
      return event.before
    case 'made':
      return beforeAt(event.tree)
    default:
      return event satisfies never
  }
}

function withPaths({ base, layers }: BeforeTree, tree: string, paths: readonly string[]): BeforeTree {
  if (paths.length === 0) return { base, layers }
  const moved = new Set([...paths, ...layers.filter((it) => it.tree === tree).flatMap((it) => it.paths)])
  const others = layers
    .filter((it) => it.tree !== tree)
    .map((it) => ({ tree: it.tree, paths: it.paths.filter((path) => !moved.has(path)) }))
    .filter((it) => it.paths.length > 0)
  return { base, layers: [...others, { tree, paths: [...moved].toSorted() }] }
}
