import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forgetKey, keepKey } from '../../src/keys/keep-key.ts'
import { keptKeyIn, keysInFile, namesInKeyring } from '../../src/keys/kept-keys.ts'
import type { Keyring } from '../../src/keys/keyring.ts'
import { credentialsOf } from '../../src/run/credentials.ts'

let config: string
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), 'loader-kept-'))
})
afterEach(() => rmSync(config, { recursive: true }))

const key = 'sk-kept-0123456789abcdef'
const file = () => join(config, 'credentials.json')
const places = () => ({ config })

/** A keyring in memory that counts how often it is asked. */
class MemoryKeyring implements Keyring {
  readonly keys = new Map<string, string>()
  asked = 0

  async get(provider: string): Promise<string | undefined> {
    this.asked += 1
    return this.keys.get(provider)
  }

  async set(provider: string, value: string): Promise<void> {
    this.keys.set(provider, value)
  }

  async remove(provider: string): Promise<void> {
    this.keys.delete(provider)
  }
}

/** A machine without anybody at the screen. */
const denied = async (): Promise<never> => {
  throw new Error("Couldn't access platform storage: AccessDenied")
}
const headless: Keyring = { get: denied, set: denied, remove: denied }

test('a key goes into the keyring, and nothing but the name of its provider into a file', async () => {
  const keyring = new MemoryKeyring()
  expect(await keepKey('groq', key, places(), keyring)).toEqual({ kind: 'keyring' })
  expect(readFileSync(join(config, 'keyring.json'), 'utf8')).toBe('["groq"]\n')
  expect(keysInFile(places())).toEqual({})
  const keptKey = keptKeyIn(places(), async () => keyring)
  expect(await keptKey('groq')).toBe(key)
  const [nothing, found] = [{ environment: {} }, keyring.asked]
  expect(await credentialsOf({}, nothing, places(), { keptKey })).toEqual([key])
  // A run asks for the keys that it uses itself.
  const other = keptKeyIn(places(), async () => keyring)
  expect(await credentialsOf({}, nothing, places(), { only: ['ollama'], keptKey: other })).toEqual([])
  expect(keyring.asked).toBe(found)
})

test('the keyring is not asked for keys that it does not have, and for one that it has only once', async () => {
  const keyring = new MemoryKeyring()
  let opened = 0
  const find = keptKeyIn(places(), async () => {
    opened += 1
    return keyring
  })
  expect(await find('groq')).toBeUndefined()
  expect(opened).toBe(0)
  await keepKey('groq', key, places(), keyring)
  const before = keyring.asked
  expect(await find('groq')).toBe(key)
  expect(await find('groq')).toBe(key)
  expect(await find('mistral')).toBeUndefined()
  expect([opened, keyring.asked - before]).toEqual([1, 1])
})

test.each([
  ['without a keyring', undefined],
  ['with a keyring that answers AccessDenied', headless],
  ['with a keyring that forgets', { ...headless, set: async () => {}, get: async () => undefined }],
])('%s, a key goes into a file that only its owner can read', async (_name, keyring) => {
  const oldMask = process.umask(0)
  try {
    expect(await keepKey('groq', key, places(), keyring)).toEqual({ kind: 'file', file: file() })
  } finally {
    process.umask(oldMask)
  }
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ groq: key })
  expect(namesInKeyring(places())).toEqual([])
})

test('a file that others could read is closed to them before a key goes into it, and other keys stay', async () => {
  writeFileSync(file(), JSON.stringify({ mistral: 'other' }))
  chmodSync(file(), 0o644)
  await keepKey('groq', key, places(), undefined)
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(keysInFile(places())).toEqual({ mistral: 'other', groq: key })
})

test('a key lies in one place: what was kept before is removed from the other one', async () => {
  const keyring = new MemoryKeyring()
  await keepKey('groq', 'sk-older-0123456789', places(), undefined)
  await keepKey('groq', key, places(), keyring)
  expect(keysInFile(places())).toEqual({})
  await keepKey('groq', key, places(), undefined)
  expect([namesInKeyring(places()), keysInFile(places())]).toEqual([[], { groq: key }])
})

test('a key is removed wherever it lies', async () => {
  const keyring = new MemoryKeyring()
  await keepKey('groq', key, places(), keyring)
  await keepKey('mistral', key, places(), undefined)
  expect(await forgetKey('groq', places(), async () => keyring)).toEqual([{ kind: 'keyring' }])
  expect(await forgetKey('mistral', places(), async () => keyring)).toEqual([{ kind: 'file', file: file() }])
  expect(await forgetKey('mistral', places(), async () => keyring)).toEqual([])
  expect([keyring.keys.size, keysInFile(places()), namesInKeyring(places())]).toEqual([0, {}, []])
})

test('a keyring that has a key and cannot be read says so, and what to do', async () => {
  await keepKey('groq', key, places(), new MemoryKeyring())
  const find = keptKeyIn(places(), async () => headless)
  await expect(find('groq')).rejects.toThrow(/keyring.*AccessDenied.*loader login groq --file/)
  // The other keys of a run are known without it.
  const environment = { MISTRAL_API_KEY: 'sk-m-0123456789' }
  expect(await credentialsOf({}, { environment }, places(), { keptKey: find })).toEqual(['sk-m-0123456789'])
})

test('a file of keys that is damaged is not overwritten, and not quoted', async () => {
  writeFileSync(file(), '{ "groq": "sk-half-')
  const failing = keepKey('mistral', key, places(), undefined)
  await expect(failing).rejects.toThrow(/is not JSON of the form/)
  await expect(failing).rejects.not.toThrow(/sk-half/)
  expect(readFileSync(file(), 'utf8')).toBe('{ "groq": "sk-half-')
})
