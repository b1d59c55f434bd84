import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { LoaderError } from '@loader/session-core'
import * as z from 'zod/mini'
import { jsonIn } from '../platform/json-text.ts'

const mostBytes = 1024 * 1024
const Keys = z.record(z.string(), z.string())

/** The key of a provider in a file such as `{ "anthropic": "sk-…" }`. A missing file has no keys. */
export async function keyInFile(path: string, provider: string): Promise<string | undefined> {
  const file = await opened(path)
  if (file === undefined) return undefined
  try {
    // Checks the opened file, because its name may belong to another one a moment later.
    const facts = await file.stat()
    requireFile(path, facts)
    requirePrivate(path, facts.mode, facts.uid)
    return keysIn(path, await file.readFile('utf8'))[provider]
  } finally {
    await file.close()
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    // Opening a pipe must not wait for who writes to it.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw refused(`The credential file ${path} cannot be read (${String(code)}). Check who owns it.`)
  }
}

function requireFile(path: string, facts: Stats): void {
  if (facts.isFile() && facts.size <= mostBytes) return
  throw refused(`The credential file ${path} is no ordinary file, or far too long. Put a file with your keys there.`)
}

/** Windows has no such permissions in file modes, so they are not checked there. */
function requirePrivate(path: string, mode: number, uid: number): void {
  if (process.platform === 'win32') return
  if ((mode & 0o077) !== 0) {
    const shown = (mode & 0o777).toString(8).padStart(3, '0')
    throw refused(
      `Others can read the credential file ${path} (mode ${shown}), so its keys were not used. Run: chmod 600 ${path}`,
    )
  }
  const user = process.getuid?.()
  if (user === undefined || uid === user || uid === 0) return
  throw refused(`The credential file ${path} belongs to another user (${uid}), so its keys were not used.`)
}

function keysIn(path: string, text: string): z.infer<typeof Keys> {
  const keys = Keys.safeParse(jsonIn(text))
  if (keys.success) return keys.data
  // The message must not quote the content: it is made of keys.
  throw refused(`The credential file ${path} is not JSON of the form { "provider": "key" }. Correct it.`)
}

function refused(message: string): LoaderError {
  return new LoaderError('invalid_config', message)
}
