import { defaultLimits, defaultPermissionMode } from '@loader/workflow'
import { JsonValue } from '@loader/session-core'
import { Limits } from '@loader/session-core/coding'
import type { ConfigOutput } from '../schemas/config.ts'
import { shownStore } from './store-address.ts'
import type { LoadedSettings, SettingOrigin } from './load-settings.ts'
import { meaningOfSetting, Settings } from './settings.ts'

type ShownSetting = ConfigOutput['settings'][number]

/** The defaults of settings. */
export const usualSettings: Readonly<Record<string, unknown>> = {
  permissionMode: defaultPermissionMode,
  walls: 'required',
  compaction: 'local',
  completionCheck: true,
  slowAfterMs: 120_000,
  instructions: true,
  sessions: 'state',
  store: 'files',
  ...Object.fromEntries(Object.entries(defaultLimits).map(([name, value]) => [`limits.${name}`, value])),
}

/** Every setting with its value and source, followed by its overridden or ignored values. */
export function shownSettings({ origins }: LoadedSettings): ShownSetting[] {
  const names = [
    ...summaries.keys(),
    ...origins.map(({ name }) => name).filter((name) => name.startsWith('providers.')),
  ]
  return [...new Set(names)].map((name) => {
    const given = origins.filter((origin) => origin.name === name)
    const holding = given.find(({ ignored }) => ignored === undefined)
    const others = given.filter((origin) => origin !== holding).map(other)
    const summary = summaries.get(name) ?? 'a provider'
    return {
      name,
      value: shown(name, holding?.value ?? usualSettings[name]),
      source: holding?.source ?? 'default',
      summary,
      others,
    }
  })
}

const summaries: ReadonlyMap<string, string> = new Map(
  Object.entries(Settings.shape).flatMap(([name, schema]): [string, string][] => {
    if (name === 'providers') return []
    if (name !== 'limits') return [[name, meaningOfSetting(schema)]]
    return Object.entries(Limits.shape).map(([limit, budget]) => [`limits.${limit}`, meaningOfSetting(budget)])
  }),
)

function other({
  name,
  value,
  source,
  ignored = null,
}: SettingOrigin | (Omit<SettingOrigin, 'ignored'> & { ignored?: null })) {
  return { value: shown(name, value), source, ignored }
}

function shown(name: string, value: unknown): JsonValue {
  return name === 'store' && typeof value === 'string' ? shownStore(value) : withoutSecrets(value)
}

/** A URL may contain a password. */
function withoutSecrets(value: unknown): JsonValue {
  const text = JSON.stringify(value) ?? 'null'
  return JsonValue.parse(JSON.parse(text.replace(/(\/\/)[^/@\s"]+@/g, '$1***@')))
}
