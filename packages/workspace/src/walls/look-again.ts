import { join } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { statsOf } from './entries.ts'
import type { Indexed } from './folder-index.ts'
import type { Guard } from './guard.ts'
import { type Ground, namesOn, setRights, statsOn } from './ground.ts'

/**
 * Opens folders that a command has left without access rights, so that their contents are checked: another user could
 * open them later. They are open until this is disposed of.
 */
export class LookedAgain implements Disposable {
  readonly now: Indexed
  readonly #ground: Ground
  readonly #staysOpen: (path: string) => boolean
  readonly #opened = new Map<string, number>()

  constructor({ ground, before, mounts }: Guard, look: () => Indexed) {
    this.#ground = ground
    // What was guarded in a folder could not be found there, and not be guarded, when the next command begins.
    this.#staysOpen = (folder) => ground.includes(folder) || mounts.some(({ path }) => isWithin(folder, path))
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
      // The workspace itself lies in no folder that is held. Commands cannot rename it.
      const stats = this.#ground.includes(path) ? statsOf(path) : statsOn(this.#ground, path)
      if (stats?.isDirectory() !== true) continue
      const isShut = (stats.mode & 0o500) !== 0o500
      if (isShut && setRights(this.#ground, path, stats.mode | 0o700) && !this.#staysOpen(path))
        this.#opened.set(path, stats.mode)
      for (const name of namesOn(this.#ground, path)) pending.push(join(path, name))
    }
  }

  [Symbol.dispose](): void {
    for (const [path, mode] of [...this.#opened].reverse()) setRights(this.#ground, path, mode)
  }
}
