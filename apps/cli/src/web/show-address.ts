import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { randomUUID } from 'node:crypto'
import type { Console } from '../console/console.ts'

/** Whether there is a screen on which a browser could show something. */
export function hasScreen({ environment }: Pick<Console, 'environment'>, platform = process.platform): boolean {
  const isSet = (name: string) => (environment[name] ?? '') !== ''
  if (isSet('SSH_CONNECTION') || isSet('CI')) return false
  return platform === 'win32' || platform === 'darwin' || isSet('DISPLAY') || isSet('WAYLAND_DISPLAY')
}

/**
 * Opens the address in the user's browser. Arguments of a process can be seen by every user of the machine, and the address
 * has the token in it: so the browser is given a file that only this user can read, and which leads there.
 */
export function openInBrowser(address: string, { environment }: Pick<Console, 'environment'>): void {
  const file = join(tmpdir(), `loader-web-${randomUUID()}.html`)
  const to = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${to}">\n`, { mode: 0o600, flag: 'wx' })
  const [program, ...words] = opener()
  const child = spawn(program, [...words, pathToFileURL(file).href], {
    env: environment,
    stdio: 'ignore',
    detached: true,
  })
  // There may be no such program; the address was printed.
  child.on('error', () => undefined)
  child.unref()
  setTimeout(() => rmSync(file, { force: true }), shownForMs).unref()
}

/** A browser that has to start needs a while. */
const shownForMs = 30_000

function opener(): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open']
  return process.platform === 'win32' ? ['explorer'] : ['xdg-open']
}
