import { lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { codeOf } from '../paths/system-errors.ts'
import { realOf, textOf } from './entries.ts'
import { type GitSetting, settingsIn } from './git-settings.ts'

/** The settings of configuration files and the files they include, even those under a condition that is false now. */
export interface ReadSettings {
  readonly settings: readonly GitSetting[]
  /** Included files, whether they exist or not. */
  readonly included: readonly string[]
}

/** Configuration files of git. Each is read again only when it has changed. */
export class SettingsFiles {
  readonly #home: string
  readonly #known = new Map<string, { readonly stamp: string; readonly settings: readonly GitSetting[] }>()

  constructor(home: string) {
    this.#home = home
  }

  read(paths: readonly string[]): ReadSettings {
    const found = new Map<string, readonly GitSetting[]>()
    const pending = [...paths]
    for (let path = pending.shift(); path !== undefined && found.size < mostFiles; path = pending.shift()) {
      if (found.has(path)) continue
      const settings = this.#readOne(path)
      found.set(path, settings)
      const from = dirname(path)
      for (const { key, value } of settings) {
        if (/^include(if\..*)?\.path$/s.test(key)) pending.push(this.#expanded(value, from))
      }
    }
    return { settings: [...found.values()].flat(), included: [...found.keys()].filter((path) => !paths.includes(path)) }
  }

  #expanded(path: string, from: string): string {
    return path.startsWith('~/') ? join(this.#home, path.slice(2)) : resolve(from, path)
  }

  #readOne(path: string): readonly GitSetting[] {
    const real = realOf(path)
    if (real === undefined) return []
    const stamp = stampOf(real)
    const known = this.#known.get(path)
    if (known !== undefined && known.stamp === stamp) return known.settings
    // Git runs nothing with a configuration file that it refuses.
    const settings = settingsIn(textOf(real) ?? '') ?? []
    this.#known.set(path, { stamp, settings })
    return settings
  }
}

const mostFiles = 100

/** A version of a file. A change within one clock tick shows in the size, or in the next tick. */
function stampOf(path: string): string {
  try {
    const stats = lstatSync(path, { bigint: true })
    return `${path} ${stats.ino} ${stats.size} ${stats.ctimeNs}`
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return ''
  }
}
