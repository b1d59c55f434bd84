import { join } from 'node:path'
import type { Signal } from '@loader/session-core'
import { isStillSo, type WorkspaceStatus, look } from './look.ts'
import { PrivateIndex, sharedVersion } from './private-index.ts'
import { isNeverKept, type RawPath } from './raw-path.ts'
import { type SideRepository, textOf } from './side-repository.ts'
import { sortFiles } from './sort-files.ts'
import type { LeftInPlace } from './trees-shown.ts'
import type { UserRules } from './user-rules.ts'

interface Known extends Pick<WorkspaceStatus, 'seen'> {
  readonly left: LeftInPlace
  /** The user's ignore rules, and the list of files in the last tree. */
  readonly rules: string
}

/** Asks git again only when a folder or an ignore file has changed: by its change time, which no program can set. */
export class LeftInPlaceIndex {
  readonly #side: SideRepository
  readonly #rules: UserRules
  #known: Known | undefined

  constructor(side: SideRepository, rules: UserRules) {
    this.#side = side
    this.#rules = rules
  }

  async look(largestFile: number, signal?: Signal): Promise<LeftInPlace> {
    const rules = this.#rulesWith(sharedVersion(this.#side.folder))
    if (this.#known?.rules === rules && isStillSo(this.#side, this.#known)) return this.#known.left
    using index = new PrivateIndex(this.#side.folder)
    index.begin()
    const looked = await look({ side: this.#side, index, prefix: this.#rules.prefix, signal })
    const { changed, unknown } = looked.status
    const { large } = sortFiles(this.#side.top, [...changed, ...unknown], largestFile)
    return this.learn(
      looked,
      large.map(({ path }) => path),
      index.shared,
    )
  }

  /**
   * Takes over the result of another look at the workspace, made with this version of the file list of the last tree.
   */
  learn({ status, around, seen }: WorkspaceStatus, large: readonly RawPath[], list: string | undefined): LeftInPlace {
    const { prefix } = this.#rules
    const relative = (paths: readonly RawPath[]) =>
      paths.filter((path) => !isNeverKept(path)).map((path) => path.slice(prefix.length))
    const left: LeftInPlace = {
      ignored: relative(status.ignored).filter((path) => path !== ''),
      nested: relative([...new Set([...status.nested, ...around.repositories])]),
      large: relative(large),
      empty: relative(around.empty),
    }
    this.#known = { left, seen, rules: this.#rulesWith(list) }
    return left
  }

  #rulesWith(list: string | undefined): string {
    return [textOf(join(this.#side.folder, 'info', 'exclude')), list].join(' ')
  }
}
