import type { SideRecord, TreeRecord } from './records.ts'

export interface Branch {
  /** From the root to the current record. */
  readonly path: readonly TreeRecord[]
  /** The number of branches of the conversation that leave this path. */
  readonly left: number
}

/**
 * The live branch of a conversation.
 *
 * The program records its current position from time to time; later records belong to the branch if they are
 * descendants of that position. A record whose parent is missing is attached to the record written before it.
 */
export function liveBranch(records: readonly TreeRecord[], sides: readonly SideRecord[]): Branch {
  const main = records.filter(({ isSidechain }) => isSidechain !== true)
  const tree = new Tree(main)
  const leaf = leafOf(main, sides, tree)
  const path = leaf === undefined ? [] : tree.pathTo(leaf)
  return { path, left: tree.branchesOff(path) }
}

function leafOf(main: readonly TreeRecord[], sides: readonly SideRecord[], tree: Tree): TreeRecord | undefined {
  const notes = sides.filter(({ type }) => type === 'last-prompt')
  const noted = notes.findLast(({ leafUuid }) => leafUuid !== undefined && tree.has(leafUuid))
  const place = noted?.leafUuid === undefined ? undefined : tree.find(noted.leafUuid)
  if (noted === undefined || place === undefined) return main.at(-1)
  const below = tree.below(place)
  return main.findLast((record) => record.line > noted.line && below.has(record)) ?? place
}

class Tree {
  readonly #byId = new Map<string, TreeRecord>()
  readonly #parents = new Map<TreeRecord, TreeRecord | undefined>()

  constructor(records: readonly TreeRecord[]) {
    for (const record of records) this.#byId.set(record.uuid, record)
    for (const [index, record] of records.entries()) {
      const named = record.parentUuid ?? record.logicalParentUuid
      const parent = named === undefined || named === null ? undefined : (this.#byId.get(named) ?? records[index - 1])
      this.#parents.set(record, parent === record ? undefined : parent)
    }
  }

  has(uuid: string): boolean {
    return this.#byId.has(uuid)
  }

  find(uuid: string): TreeRecord | undefined {
    return this.#byId.get(uuid)
  }

  pathTo(leaf: TreeRecord): TreeRecord[] {
    const path = new Set<TreeRecord>()
    for (let record: TreeRecord | undefined = leaf; record && !path.has(record); record = this.#parents.get(record)) {
      path.add(record)
    }
    return [...path].toReversed()
  }

  /** A record and all its descendants. Each is visited once, whatever the shape of the tree. */
  below(place: TreeRecord): ReadonlySet<TreeRecord> {
    const below = new Set([place])
    const elsewhere = new Set<TreeRecord>()
    for (const record of this.#parents.keys()) {
      const way = new Set<TreeRecord>()
      let above: TreeRecord | undefined = record
      while (above && !below.has(above) && !elsewhere.has(above) && !way.has(above)) {
        way.add(above)
        above = this.#parents.get(above)
      }
      const leads = above !== undefined && below.has(above)
      for (const each of way) (leads ? below : elsewhere).add(each)
    }
    return below
  }

  /** Counts records off the path whose parent is on it. Parallel calls and their results do not count. */
  branchesOff(path: readonly TreeRecord[]): number {
    const live = new Set(path)
    const answers = new Set(path.flatMap(({ message }) => message?.id ?? []))
    const branches = [...this.#parents].filter(([record, parent]) => {
      if (live.has(record) || (parent !== undefined && !live.has(parent))) return false
      if (record.type === 'assistant') return !answers.has(record.message?.id ?? '')
      return record.type === 'user' && !record.bringsResult
    })
    return branches.length
  }
}
