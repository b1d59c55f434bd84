import { type ConfiguredHook, HooksSetting, hooksOfSettings, hooksOfSharedFile } from '@loader/extensions/config'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../places/places.ts'
import { readJsonText } from '../settings/json-text.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { settingsFiles } from '../settings/settings-files.ts'
import { textOfFile } from '../settings/text-of-file.ts'
import { sharedHooksFiles } from './configured.ts'

/** Hooks that run, hooks of the project that wait for trust, and what of the files does not count. */
export interface HooksOfRun {
  readonly hooks: readonly ConfiguredHook[]
  readonly inert: readonly ConfiguredHook[]
  readonly notes: readonly string[]
  /** The folder of the user's own scripts, which commands have to read although it lies in a hidden one. */
  readonly readable: readonly string[]
}

interface Read {
  readonly hooks: readonly ConfiguredHook[]
  readonly faults: readonly string[]
}

/** The hooks of all files: those of the user first, then those of the project, which run when the user trusts it. */
export function hooksOfRun(loaded: LoadedSettings, places: Pick<Places, 'root' | 'config'>): HooksOfRun {
  const ofSettings = hooksInSettings(loaded, places)
  const shared = sharedHooksFiles(places).map(hooksInShared)
  const all = [...ofSettings, ...shared].flatMap(({ hooks }) => hooks)
  const isInert = ({ origin }: ConfiguredHook) => origin === 'project' && !loaded.trusted
  const sorted = [...all.filter(({ origin }) => origin === 'user'), ...all.filter(({ origin }) => origin === 'project')]
  const faults = [...ofSettings, ...shared].flatMap(({ faults }) => faults)
  // Those of our own settings are told of with all others that are ignored there.
  const waiting = loaded.trusted ? [] : shared.flatMap(({ hooks }) => hooks)
  const scripts = join(places.config, 'hooks')
  const isOwn = all.some(({ origin }) => origin === 'user') && existsSync(scripts)
  return {
    readable: isOwn ? [scripts] : [],
    hooks: sorted.filter((hook) => !isInert(hook)),
    inert: all.filter(isInert),
    notes: [
      ...(loaded.trusted ? faults : faults.filter((fault) => !fault.startsWith(places.root))),
      ...waitingNotes(waiting),
    ],
  }
}

function waitingNotes(waiting: readonly ConfiguredHook[]): readonly string[] {
  const files = [...new Set(waiting.map(({ source }) => source))]
  return files.map((file) => `hooks of ${file} do not run: this project is not trusted: loader permissions trust`)
}

/** Each file of settings has hooks of its own: none of them takes the place of another. */
function hooksInSettings({ origins }: LoadedSettings, places: Pick<Places, 'root' | 'config'>): readonly Read[] {
  const ofProject = new Set(settingsFiles(places).flatMap(({ file, ofProject }) => (ofProject ? [file] : [])))
  return origins.toReversed().flatMap(({ name, value, source }) => {
    const setting = name === 'hooks' ? HooksSetting.safeParse(value).data : undefined
    if (setting === undefined) return []
    return [hooksOfSettings(setting, { source, origin: ofProject.has(source) ? 'project' : 'user' })]
  })
}

function hooksInShared(file: string): Read {
  const text = textOfFile(file)
  if (text === undefined || !text.includes('"hooks"')) return { hooks: [], faults: [] }
  const json = readJsonText(text)
  if (!json.ok)
    return { hooks: [], faults: [`${file}:${json.line}: this is not JSON: ${json.reason}. None of its hooks runs`] }
  return hooksOfSharedFile(json.value, { source: file, origin: 'project' })
}
