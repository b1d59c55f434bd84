import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'

/** Where the page is, unless something else is there already. */
export const usualPort = 4711
export const loopback = '127.0.0.1'

export function portOf(given: Given): number | undefined {
  const text = given.value('port')
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`--port needs a number up to 65535, not ${JSON.stringify(text)}.`, 'web')
}

export function urlOf(given: Given): URL | undefined {
  const text = given.value('url')
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.hash === '') return url
  throw new UsageError(
    `--url needs an address such as https://loader.example.org/, not ${JSON.stringify(text)}.`,
    'web',
  )
}

/** The token is never an argument: every user of the machine can see arguments. */
export function tokenOf(given: Given, { environment, folder }: Console): string | undefined {
  const file = given.value('token-file')
  if (file !== undefined) return readFileSync(resolve(folder, file), 'utf8').trim()
  const token = environment['LOADER_WEB_TOKEN'] ?? ''
  return token === '' ? undefined : token
}
