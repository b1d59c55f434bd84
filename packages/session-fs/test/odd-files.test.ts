import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { fill, type Place, place } from './sample-sessions.ts'

const program = fileURLToPath(new URL('children/odd-files.ts', import.meta.url))

/** What can stand where a file of a session belongs. */
const kinds: Readonly<Record<string, (path: string) => void>> = {
  'a folder': (path) => mkdirSync(path),
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a link to itself': (path) => symlinkSync(basename(path), path),
  'a file longer than any': (path) => {
    writeFileSync(path, '')
    truncateSync(path, 600 * 1024 * 1024)
  },
  'a file that nobody may read': (path) => {
    writeFileSync(path, 'x')
    chmodSync(path, 0)
  },
}

const files = [
  'one.json',
  'one.journal.jsonl',
  'one.1.json',
  'one.2.json',
  'one.lock.1',
  'one.lock.2',
  '_index.json',
  '_index.journal.jsonl',
]

/** Does everything with the session in a process of little memory that is ended where it hangs. */
function outcomes(places: readonly Place[]): string[] {
  const options = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning', '--max-old-space-size=200']
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...options, program, ...places.map(({ directory }) => directory)],
    {
      encoding: 'utf8',
      timeout: 50_000,
      killSignal: 'SIGKILL',
    },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.trim().split('\n')
}

describe.skipIf(process.platform === 'win32')('what stands where a file of a session belongs', () => {
  test.each(Object.keys(kinds))('%s stops nothing for ever, and every error says what is wrong', async (kind) => {
    await using all = new AsyncDisposableStack()
    const places: Place[] = []
    for (const file of files) {
      const at = all.use(await place())
      await fill(at.store, 'one', 30)
      rmSync(at.path(file), { force: true })
      kinds[kind]?.(at.path(file))
      places.push(at)
    }
    const lines = outcomes(places)
    const each = lines.length / files.length
    for (const [index, line] of lines.entries()) {
      const at = Math.floor(index / each)
      const [, outcome = '', ...message] = line.split(': ')
      const isTold = ['ok', 'storage_refused', 'session_damaged', 'session_not_found'].includes(outcome)
      expect({ line, isTold }).toEqual({ line, isTold: true })
      if (outcome === 'storage_refused') expect(message.join(': ')).toContain(places[at]?.path(files[at] ?? ''))
    }
    expect(each).toBe(10)
  })

  test('a folder in the place of the snapshot keeps nobody from reading, and is left to whom it belongs', async () => {
    await using at = await place()
    await fill(at.store, 'one', 30)
    rmSync(at.path('one.json'))
    mkdirSync(at.path('one.json'))
    const lines = outcomes([at])
    expect(lines.filter((line) => line.endsWith(': ok')).map((line) => line.split(':')[0])).toEqual([
      'list',
      'check',
      'read',
      'tell',
      'holder',
      'verify',
      'fork',
      'salvage',
      'delete',
    ])
    expect(lines.find((line) => line.startsWith('claim'))).toContain('one.json is a folder')
  })
})
