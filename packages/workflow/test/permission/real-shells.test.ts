import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { everyNth, times } from '@loader/test-tier'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findings, shellClass } from '../../src/permission/shell-class.ts'
import { readShell } from '../../src/permission/shell/read-shell.ts'
import { hostileCommands } from './hostile-commands.ts'

const shells = [
  ...new Set(['/bin/bash', '/bin/sh'].filter((path) => existsSync(path)).map((path) => realpathSync(path))),
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'real-shells-'))
  mkdirSync(join(folder, 'bin'))
  for (const name of ['aa', 'bb', 'cc']) {
    const path = join(folder, 'bin', name)
    writeFileSync(path, `#!/bin/sh\necho ${name} >> "$SEEN"\nexit $#\n`)
    chmodSync(path, 0o755)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a shell ran and wrote: only the three harmless programs are there for it to find. */
function runForReal(shell: string, command: string): { readonly ran: string[]; readonly wrote: string[] } {
  const place = mkdtempSync(join(folder, 'place-'))
  const seen = `${place}.seen`
  writeFileSync(seen, '')
  spawnSync(shell, ['-c', command], {
    cwd: place,
    env: { PATH: join(folder, 'bin'), SEEN: seen, HOME: place },
    timeout: 60_000,
    stdio: 'ignore',
  })
  return { ran: readFileSync(seen, 'utf8').split('\n').filter(Boolean), wrote: readdirSync(place) }
}

/** Separated by spaces; ␠ stands for one. */
const pieces = String.raw`
  ␠ ␠ ␠ ; && || | ( ) {␠ ;␠} ' " \ ${'`'} $( ) < > >> >| &> >& aa bb cc aa x $x ${'${'}x:- } 2>&1 <<< # ! = x= [[␠ ␠]] (( )) if␠ ;␠then␠
  ;␠fi for␠x␠in␠ ;␠do␠ ;␠done case␠x␠in␠ x)␠ ;;␠ esac function␠ ()␠ * {a,b} $' $" $[ $((1 time␠ |& <( -eq == =~ a+= ~`
  .trim()
  .split(/\s+/)
  .map((piece) => piece.replaceAll('␠', ' '))
  .concat('\n', '\t', '\\\n', '<<E\n', '\nE\n')

const line = fc
  .tuple(
    fc.constantFrom('aa x', 'echo x', 'aa', '[[ x', ''),
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }),
  )
  .map(([start, rest]) => start + rest.join(''))
  // What cannot be read says so, and what is a test only in some shells says that.
  .filter((command) => !findings(readShell(command)).some(({ hides, why }) => hides || why.includes('in some shells')))

describe.each(shells)('%s', (shell) => {
  test('runs no command that was not seen, and writes no file behind what only looks', () => {
    fc.assert(
      fc.property(line, (command) => {
        const reading = readShell(command)
        const { ran, wrote } = runForReal(shell, command)
        const names = reading.commands.map(({ words }) => words[0]?.value)
        expect(ran.filter((name) => !names.includes(name))).toEqual([])
        const changes = findings(reading).filter(({ level, command: one }) => one === undefined && level !== 'probe')
        if (changes.length === 0) expect(wrote).toEqual([])
      }),
      { numRuns: times({ quick: 40, ci: 1500, long: 15_000 }) },
    )
  })
})

const probes = Object.values(hostileCommands)
  .flat()
  .flatMap(([, , twin, is]) => (is === 'probe' && !/until|sleep|pip|select/.test(twin) ? [twin] : []))

test('commands that only look leave a folder as it was', () => {
  const place = mkdtempSync(join(folder, 'place-'))
  for (const name of ['a', 'b', 'x', 'y']) writeFileSync(join(place, name), `${name}\n`)
  const everySoOften = everyNth({ quick: 12, ci: 1 })
  for (const command of probes.filter((_, index) => index % everySoOften === 0)) {
    expect(shellClass(command).class).toBe('probe')
    // Programs may keep things of their own at home, even when they only tell their version.
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder }
    spawnSync(shells[0] ?? 'sh', ['-c', command], { cwd: place, env, timeout: 60_000, stdio: 'ignore' })
    expect({ command, left: readdirSync(place) }).toEqual({ command, left: ['a', 'b', 'x', 'y'] })
    expect(['a', 'b', 'x', 'y'].map((name) => readFileSync(join(place, name), 'utf8'))).toEqual([
      'a\n',
      'b\n',
      'x\n',
      'y\n',
    ])
  }
})
