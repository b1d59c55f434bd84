import { chmodSync, existsSync } from 'node:fs'
import type * as z from 'zod'
import { editFile } from '../settings/edit-file.ts'
import {
  type Config,
  credentialFile,
  type Keys,
  keysInFile,
  namesFile,
  namesInKeyring,
  unreadable,
} from './kept-keys.ts'
import { type Keyring, systemKeyring } from './keyring.ts'

/** Where a key lies. */
export type KeyPlace = { readonly kind: 'keyring' } | { readonly kind: 'file'; readonly file: string }

/** Keeps a key in the keyring if there is one and the user does not prefer the file, and says where it is now. */
export async function keepKey(
  provider: string,
  key: string,
  places: Config,
  keyring: Keyring | undefined,
): Promise<KeyPlace> {
  if (keyring !== undefined && (await inKeyring(keyring, provider, key))) {
    changeNames(places, (names) => [...new Set([...names, provider])])
    removeFromFile(provider, places)
    return { kind: 'keyring' }
  }
  const file = credentialFile(places)
  changeKeys(places, (keys) => ({ ...keys, [provider]: key }))
  changeNames(places, (names) => names.filter((name) => name !== provider))
  return { kind: 'file', file }
}

/** Removes the key of a provider wherever it lies, and says where it was. */
export async function forgetKey(
  provider: string,
  places: Config,
  keyringOf: () => Promise<Keyring | undefined> = systemKeyring,
): Promise<readonly KeyPlace[]> {
  const removed: KeyPlace[] = []
  if (removeFromFile(provider, places)) removed.push({ kind: 'file', file: credentialFile(places) })
  if (namesInKeyring(places).includes(provider)) {
    const keyring = await keyringOf()
    if (keyring === undefined) throw unreadable(provider, 'its package is not installed here')
    await keyring.remove(provider).catch((error: unknown) => {
      throw unreadable(provider, error instanceof Error ? error.message : String(error))
    })
    changeNames(places, (names) => names.filter((name) => name !== provider))
    removed.push({ kind: 'keyring' })
  }
  return removed
}

/** A keyring that cannot be used is as good as none: then the file is the place. */
async function inKeyring(keyring: Keyring, provider: string, key: string): Promise<boolean> {
  try {
    await keyring.set(provider, key)
    // Some systems accept a key and have it no more when it is asked for.
    return (await keyring.get(provider)) === key
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

function removeFromFile(provider: string, places: Config): boolean {
  if (!Object.hasOwn(keysInFile(places), provider)) return false
  changeKeys(places, (keys) => Object.fromEntries(Object.entries(keys).filter(([name]) => name !== provider)))
  return true
}

function changeKeys(places: Config, change: (keys: z.infer<typeof Keys>) => z.infer<typeof Keys>): void {
  const file = credentialFile(places)
  // Before anything is written into it: the file may have been made by hand.
  if (existsSync(file)) chmodSync(file, 0o600)
  editFile(file, () => `${JSON.stringify(change(keysInFile(places)), null, 2)}\n`)
}

function changeNames(places: Config, change: (names: readonly string[]) => readonly string[]): void {
  const [before, file] = [namesInKeyring(places), namesFile(places)]
  const after = change(before)
  if (after.length !== before.length) editFile(file, () => `${JSON.stringify(after)}\n`)
}
