import { LoaderError } from '@loader/session-core'
import * as z from 'zod'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import { firstIssue, readJsonFile } from './json-file.ts'
import { settingsFiles } from './settings-files.ts'
import { holdsUntrusted, Settings } from './settings.ts'
import { isTrusted } from './trust.ts'

export interface SettingOrigin {
  /** With dots: `limits.maxIterations`, `providers.groq`. */
  readonly name: string
  readonly value: unknown
  /** The file, variable or flag that set it. */
  readonly source: string
  /** Why it does not apply, if so. */
  readonly ignored?: string
}

export interface LoadedSettings {
  readonly settings: Settings
  /** Every value from every layer, the strongest first. */
  readonly origins: readonly SettingOrigin[]
  readonly trusted: boolean
}

export interface SettingsSources {
  /** Values of --config. */
  readonly flags?: readonly string[]
  readonly environment?: Console['environment']
  /** The session to continue, and the settings that it last used. */
  readonly session?: {
    readonly id: string
    readonly settings: Settings
    /** False if the session came with the project, maybe from a stranger. */
    readonly isOwn: boolean
  }
}

interface Layer {
  readonly source: string
  readonly settings: Settings
  readonly ofProject: boolean
}

/**
 * From weak to strong: the user's file, the project's, the project's local one, the environment, the session, flags.
 */
export function loadSettings(
  places: Pick<Places, 'root' | 'config'>,
  { flags = [], environment = {}, session }: SettingsSources = {},
): LoadedSettings {
  const trusted = isTrusted(places.config, places.root)
  const { LOADER_MODEL: model, LOADER_STORE: store } = environment
  const layers: Layer[] = [
    ...settingsFiles(places).map(({ file, ofProject }) => ({
      source: file,
      settings: readJsonFile(file, Settings) ?? {},
      ofProject,
    })),
    { source: 'LOADER_MODEL', settings: model ? { model } : {}, ofProject: false },
    { source: 'LOADER_STORE', settings: store ? { store } : {}, ofProject: false },
    { source: 'LOADER_WALLS', settings: wallsFrom(environment), ofProject: false },
    ...(session === undefined
      ? []
      : [{ source: `session ${session.id}`, settings: session.settings, ofProject: !session.isOwn }]),
    { source: '--config', settings: fromFlags(flags), ofProject: false },
  ]
  const origins = layers.toReversed().flatMap((layer) => originsOf(layer, trusted))
  return { settings: merged(origins), origins, trusted }
}

/** For containers and CI, where settings come from the environment. */
function wallsFrom({ LOADER_WALLS: use }: Console['environment']): Settings {
  if (use === undefined || use === '') return {}
  if (use === 'off' || use === 'required') return { walls: use }
  throw new LoaderError('invalid_config', `LOADER_WALLS is ${JSON.stringify(use)}. It can be required or off.`)
}

function originsOf({ source, settings, ofProject }: Layer, trusted: boolean): SettingOrigin[] {
  return leaves(settings).map(([name, value]) => {
    const inert = ofProject && !trusted && !holdsUntrusted(name, value)
    return { name, value, source, ...(inert && { ignored: 'this project is not trusted: loader permissions trust' }) }
  })
}

/** Each limit, provider, price or server is a setting of its own, so that a layer can override one of them and keep the others. */
function leaves(settings: Settings): [name: string, value: unknown][] {
  const { limits = {}, providers = {}, prices = {}, mcpServers = {}, ...rest } = settings
  const all = [
    ...Object.entries(rest),
    ...Object.entries(limits).map(([name, value]): [string, unknown] => [`limits.${name}`, value]),
    ...Object.entries(providers).map(([name, value]): [string, unknown] => [`providers.${name}`, value]),
    ...Object.entries(prices).map(([name, value]): [string, unknown] => [`prices.${name}`, value]),
    ...Object.entries(mcpServers).map(([name, value]): [string, unknown] => [`mcpServers.${name}`, value]),
  ]
  return all.filter(([, value]) => value !== undefined)
}

function merged(origins: readonly SettingOrigin[]): Settings {
  const settings = emptyRecord()
  // Weak ones first, so that strong ones overwrite them.
  for (const { name, value, ignored } of origins.toReversed()) {
    if (ignored === undefined) put(settings, pathOf(name), value)
  }
  return Settings.parse(settings)
}

/** `limits.maxIterations=20`, `model=ollama/qwen3:8b`: the value is parsed as JSON if possible, else taken as text. */
function fromFlags(flags: readonly string[]): Settings {
  const settings = emptyRecord()
  for (const flag of flags) {
    const equals = flag.indexOf('=')
    if (equals < 1) throw new LoaderError('invalid_config', `--config ${flag} is not of the form key=value.`)
    put(settings, flag.slice(0, equals).split('.'), valueOf(flag.slice(equals + 1)))
  }
  const result = Settings.safeParse(settings)
  if (result.success) return result.data
  const { path, why, isUnknown } = firstIssue(result.error)
  const names = isUnknown ? ` Known here: ${namesIn(Settings, path.slice(0, -1)).join(', ')}.` : ''
  throw new LoaderError('invalid_config', `--config ${path.map(String).join('.')}: ${why}.${names}`)
}

/** The keys that the object at this place can have. */
function namesIn(schema: z.core.$ZodType | undefined, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional) return namesIn(schema.unwrap(), path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => namesIn(option, path))
  const [key, ...rest] = path
  if (schema instanceof z.ZodRecord) return namesIn(schema.valueType, rest)
  if (!(schema instanceof z.ZodObject)) return []
  return key === undefined ? Object.keys(schema.shape) : namesIn(schema.shape[String(key)], rest)
}

/** Splits the name of a setting at its dots, except for dots in the name of a provider. */
function pathOf(name: string): string[] {
  const [first = '', ...rest] = name.split('.')
  return rest.length === 0 ? [first] : [first, rest.join('.')]
}

function put(settings: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    settings[first] = value
    return
  }
  const there = Object.hasOwn(settings, first) ? settings[first] : undefined
  const inner = isRecord(there) ? there : emptyRecord()
  settings[first] = inner
  put(inner, rest, value)
}

/** Without a prototype, so that `__proto__` is an ordinary key, which the schema rejects by name. */
function emptyRecord(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
