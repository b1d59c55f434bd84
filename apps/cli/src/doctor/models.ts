import { checkKey, discover, knownProviders, parseModelName } from '@loader/backends'
import { LoaderError } from '@loader/session-core'
import { statSync } from 'node:fs'
import type { Console } from '../console/console.ts'
import { credentialFile, keysInFile, namesInKeyring } from '../keys/kept-keys.ts'
import type { Places } from '../places/places.ts'
import { connectionOf } from '../run/connection-of.ts'
import type { DoctorCheck } from '../schemas/doctor.ts'
import { loadSettings } from '../settings/load-settings.ts'
import type { Settings } from '../settings/settings.ts'

/** Checks the chosen model, as far as that costs nothing, and says which keys there are. */
export async function modelChecks(console: Console, places: Places): Promise<DoctorCheck[]> {
  const settings = settingsOrNone(console, places)
  if (settings === undefined) return []
  return [
    await tried('model', () => modelCheck(settings, console, places)),
    await tried('keys', () => keysCheck(console, places)),
  ]
}

/** Invalid settings are reported by another check. */
function settingsOrNone({ environment }: Console, places: Places): Settings | undefined {
  try {
    return loadSettings(places, { environment }).settings
  } catch (error) {
    if (LoaderError.is(error)) return undefined
    throw error
  }
}

async function tried(name: string, check: () => Promise<DoctorCheck> | DoctorCheck): Promise<DoctorCheck> {
  try {
    return await check()
  } catch (error) {
    if (LoaderError.is(error)) return { name, state: 'warning', message: error.message }
    throw error
  }
}

async function modelCheck(settings: Settings, console: Console, places: Places): Promise<DoctorCheck> {
  const { model } = settings
  if (model === undefined) return { name: 'model', state: 'note', message: 'none is chosen; see: loader models' }
  const { provider } = parseModelName(model)
  const isOwn = settings.providers?.[provider] !== undefined
  const known = knownProviders.find(({ name }) => name === provider)
  if (known === undefined && !isOwn) {
    return { name: 'model', state: 'warning', message: `there is no provider ${provider}; see: loader models` }
  }
  if (known?.key === 'optional' && !isOwn) return localCheck(model, provider, console)
  const check = await checkKey(provider, connectionOf(settings, console, places))
  switch (check.state) {
    case 'good':
      return { name: 'model', state: 'ok', message: `${model}; ${known?.title ?? provider} accepts the key` }
    case 'missing':
      return { name: 'model', state: 'warning', message: `${model}; ${check.message} loader login ${provider}` }
    default:
      return { name: 'model', state: 'warning', message: `${model}; ${check.message}` }
  }
}

async function localCheck(model: string, provider: string, { environment }: Console): Promise<DoctorCheck> {
  const servers = await discover({ variables: environment })
  const server = servers.find(({ kind }) => kind === provider)
  if (server === undefined) {
    const isServer = ['ollama', 'lmstudio', 'llamacpp', 'vllm'].includes(provider)
    if (!isServer)
      return { name: 'model', state: 'note', message: `${model}; it is not known before the first request` }
    return { name: 'model', state: 'warning', message: `${model}; no ${provider} answers on this machine` }
  }
  return { name: 'model', state: 'ok', message: `${model}; ${server.title} answers at ${server.origin}` }
}

function keysCheck({ environment }: Console, places: Places): DoctorCheck {
  const set = knownProviders.flatMap(({ keyVariables }) => keyVariables.filter((name) => environment[name]?.trim()))
  const [inKeyring, inFile, file] = [namesInKeyring(places), Object.keys(keysInFile(places)), credentialFile(places)]
  const found = [
    ...(set.length === 0 ? [] : [`in the environment: ${set.join(', ')}`]),
    ...(inKeyring.length === 0 ? [] : [`in the keyring: ${inKeyring.join(', ')}`]),
    ...(inFile.length === 0 ? [] : [`in ${file}: ${inFile.join(', ')}`]),
  ]
  if (inFile.length > 0 && isOpenToOthers(file)) {
    return {
      name: 'keys',
      state: 'warning',
      message: `others can read ${file}, so its keys are not used: chmod 600 ${file}`,
    }
  }
  return { name: 'keys', state: 'ok', message: found.length === 0 ? 'none' : found.join('; ') }
}

function isOpenToOthers(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
}
