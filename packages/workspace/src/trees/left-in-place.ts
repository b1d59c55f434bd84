import { type BigIntStats, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Signal } from '@loader/session-core'
import { codeOf } from '../paths/system-errors.ts'
import { lookAround } from './look-around.ts'
import { PrivateIndex, versionKey } from './private-index.ts'
import { rawBytes } from './raw-bytes.ts'
import { isNeverKept, type RawPath } from './raw-path.ts'
import { sideGit, type SideRepository, textOf } from './side-repository.ts'
import { sortFiles } from './sort-files.ts'
import { readStatus, statusArguments } from './status.ts'
import type { LeftInPlace } from './trees-shown.ts'
import type { UserRules } from './user-rules.ts'

interface Known {
  readonly left: LeftInPlace
  /** The rules of the user, and the list of what is in the last tree. */
  readonly rules: string
  /** What it was read off, with how each looked. */
  readonly seen: ReadonlyMap<RawPath, string>
}

/** A folder that changed less than this before it was read may change again without showing. */
const tickNs = 20_000_000n

/** Asks git only when a folder or a file of rules has changed: by its change time, which no program can set. */
export class LeftInPlaceIndex {
  readonly #side: SideRepository
  readonly #rules: UserRules
  #known: Known | undefined

  constructor(side: SideRepository, rules: UserRules) {
    this.#side = side
    this.#rules = rules
  }

  async look(largestFile: number, signal?: Signal): Promise<LeftInPlace> {
    const known = this.#known
    const rules = this.#rulesNow()
    if (known?.rules === rules && [...known.seen].every(([path, version]) => this.#versionOf(path) === version))
      return known.left
    const read = { ...(await this.#read(largestFile, signal)), rules }
    this.#known = read
    return read.left
  }

  async #read(largestFile: number, signal: Signal | undefined): Promise<Omit<Known, 'rules'>> {
    const side = this.#side
    const { prefix } = this.#rules
    const nowNs = BigInt(Date.now()) * 1_000_000n
    const seen = new Map<RawPath, string>()
    const see = (path: RawPath) => {
      const stats = statsOf(side.top, path)
      const isFresh = stats !== undefined && nowNs - stats.ctimeNs < tickNs
      seen.set(path, isFresh ? 'fresh' : stats === undefined ? '-' : versionKey(stats))
    }
    using index = new PrivateIndex(side.folder)
    index.begin()
    const below = prefix === '' ? [] : ['--', prefix]
    const status = readStatus(
      (await sideGit(side, { arguments: [...statusArguments, ...below], index: index.path, signal })).output,
    )
    const folders = status.ignored.filter((path) => path.endsWith('/'))
    const around = await lookAround(side.top, prefix, new Set([...status.nested, ...folders]), signal, see)
    const { large } = sortFiles(side.top, [...status.changed, ...status.unknown], largestFile)
    const relative = (paths: readonly RawPath[]) =>
      paths.filter((path) => !isNeverKept(path)).map((path) => path.slice(prefix.length))
    const left: LeftInPlace = {
      ignored: relative(status.ignored).filter((path) => path !== ''),
      nested: relative([...new Set([...status.nested, ...around.repositories])]),
      large: relative(large.map(({ path }) => path)),
      empty: relative(around.empty),
    }
    return { left, seen }
  }

  #rulesNow(): string {
    const { folder } = this.#side
    const index = lstatSync(join(folder, 'index'), { bigint: true, throwIfNoEntry: false })
    return [textOf(join(folder, 'info', 'exclude')), index && versionKey(index)].join(' ')
  }

  #versionOf(path: RawPath): string {
    const stats = statsOf(this.#side.top, path)
    return stats === undefined ? '-' : versionKey(stats)
  }
}

function statsOf(top: string, path: RawPath): BigIntStats | undefined {
  try {
    return lstatSync(Buffer.concat([Buffer.from(`${top}/`), rawBytes(path)]), { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
