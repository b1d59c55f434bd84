import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { times } from '@loader/test-tier'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readShell } from '../../src/permission/shell/read-shell.ts'

/** The one that commands run in. Others take `[[` and `((` for names. */
const shells = ['/bin/bash'].filter((path) => existsSync(path))

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
  .filter((command) => readShell(command).hides === undefined)

describe.each(shells)('%s', (shell) => {
  test(
    'runs no command, and opens no file for writing, that was not read',
    { timeout: times({ quick: 120_000, ci: 120_000, long: 1_200_000 }) },
    () => {
      fc.assert(
        fc.property(line, (command) => {
          const { commands, writes } = readShell(command)
          const { ran, wrote } = runForReal(shell, command)
          const names = commands.map(({ words }) => words[0]?.value)
          expect(ran.filter((name) => !names.includes(name))).toEqual([])
          if (writes.length === 0) expect(wrote).toEqual([])
        }),
        { numRuns: times({ quick: 15, ci: 500, long: 15_000 }) },
      )
    },
  )
})
