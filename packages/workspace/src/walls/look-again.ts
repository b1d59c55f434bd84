import { join } from 'node:path'
import type { Indexed } from './folder-index.ts'
import { type Ground, namesOn, setRights, statsOn } from './ground.ts'

/**
 * Opens folders that a command has left without access rights, so that their contents are checked: another user could
 * open them later. They are open until this is disposed of.
 */
export class LookedAgain implements Disposable {
  readonly now: Indexed
  readonly #ground: Ground
  readonly #opened = new Map<string, number>()

  constructor(ground: Ground, before: Indexed, look: () => Indexed) {
    this.#ground = ground
    const tried = new Set<string>()
    for (;;) {
      const now = look()
      const shut = [...now.shut].filter(([path, change]) => before.shut.get(path) !== change && !tried.has(path))
      if (shut.length === 0) {
        this.now = now
        return
      }
      for (const [path] of shut) {
        tried.add(path)
        this.#open(path)
      }
    }
  }

  /** Opens the folders inside as well, so that one walk finds them all. */
  #open(top: string): void {
    const pending = [top]
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      const stats = statsOn(this.#ground, path)
      if (stats?.isDirectory() !== true) continue
      const isShut = (stats.mode & 0o500) !== 0o500
      if (isShut && setRights(this.#ground, path, stats.mode | 0o700)) this.#opened.set(path, stats.mode)
      for (const name of namesOn(this.#ground, path)) pending.push(join(path, name))
    }
  }

  [Symbol.dispose](): void {
    for (const [path, mode] of [...this.#opened].reverse()) setRights(this.#ground, path, mode)
  }
}
