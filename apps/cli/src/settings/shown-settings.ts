import { defaultLimits, defaultPermissionMode } from '@loader/workflow'
import { shownUrl } from '@loader/mcp/config'
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
  unknownPrices: 'refuse',
  fallbackAfterMs: 30_000,
  instructions: true,
  notify: true,
  theme: 'auto',
  sessions: 'state',
  store: 'files',
  ...Object.fromEntries(Object.entries(defaultLimits).map(([name, value]) => [`limits.${name}`, value])),
}

/** Every setting with its value and source, followed by its overridden or ignored values. */
export function shownSettings({ origins }: LoadedSettings): ShownSetting[] {
  const names = [...summaries.keys(), ...origins.map(({ name }) => name).filter((name) => ofNames.test(name))]
  return [...new Set(names)].map((name) => {
    const given = origins.filter((origin) => origin.name === name)
    const holding = given.find(({ ignored }) => ignored === undefined)
    const others = given.filter((origin) => origin !== holding).map(other)
    const summary = summaries.get(name) ?? summaryByKind[ofNames.exec(name)?.[1] ?? '']
    return {
      name,
      value: shown(name, holding?.value ?? usualSettings[name]),
      source: holding?.source ?? 'default',
      summary: summary ?? '',
      others,
    }
  })
}

/** Settings that hold something for each name. */
const ofNames = /^(providers|prices|mcpServers)\./
const summaryByKind: Readonly<Record<string, string>> = {
  providers: 'a provider',
  prices: 'a price',
  mcpServers: 'an MCP server',
}

const summaries: ReadonlyMap<string, string> = new Map(
  Object.entries(Settings.shape).flatMap(([name, schema]): [string, string][] => {
    if (ofNames.test(`${name}.`)) return []
    if (name !== 'limits') return [[name, meaningOfSetting(schema)]]
    return Object.entries(Limits.shape).map(([limit, budget]) => [`limits.${limit}`, meaningOfSetting(budget)])
  }),
)

/** The names of all settings but those of providers. */
export function settingNames(): readonly string[] {
  return [...summaries.keys()]
}

function other({
  name,
  value,
  source,
  ignored = null,
}: SettingOrigin | (Omit<SettingOrigin, 'ignored'> & { ignored?: null })) {
  return { value: shown(name, value), source, ignored }
}

function shown(name: string, value: unknown): JsonValue {
  if (name === 'store' && typeof value === 'string') return shownStore(value)
  return withoutSecrets(name.startsWith('mcpServers.') ? withoutValues(value) : value)
}

/** Variables, headers and the address of a server often hold keys. */
function withoutValues(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const hidden = (given: unknown) =>
    typeof given === 'object' && given !== null
      ? Object.fromEntries(
          Object.entries(given).map(([key, text]) => [key, /^\$\{\w+\}$/.test(String(text)) ? text : '***']),
        )
      : given
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'url' && typeof inner === 'string') return [key, shownUrl(inner)]
      return [key, key === 'env' || key === 'headers' ? hidden(inner) : inner]
    }),
  )
}

/** A URL may contain a password. */
function withoutSecrets(value: unknown): JsonValue {
  const text = JSON.stringify(value) ?? 'null'
  return JsonValue.parse(JSON.parse(text.replace(/(\/\/)[^/@\s"]+@/g, '$1***@')))
}
