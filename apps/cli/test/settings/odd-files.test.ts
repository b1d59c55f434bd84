import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'

const command = fileURLToPath(new URL('../../src/loader.ts', import.meta.url))
const options = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning', '--max-old-space-size=300']

const kinds: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a link to itself': (path) => symlinkSync(path, path),
}

/** What each start of the command reads, and what stops it where that cannot be read. */
const starts = [
  { file: 'config/loader/settings.json', words: ['sessions'], code: 2 },
  { file: 'project/.loader/settings.json', words: ['sessions'], code: 2 },
  { file: 'project/.loader/permission-rules.json', words: ['permissions', 'list'], code: 2 },
  { file: 'config/loader/trusted.json', words: ['permissions', 'list'], code: 2 },
]

test.skipIf(process.platform === 'win32').for(Object.keys(kinds))(
  '%s in the place of settings, rules or trust is named at once, and not waited for',
  async (kind) => {
    for (const { file, words, code } of starts) {
      await using one = await temporaryWorkspace({ files: { 'project/a.txt': '' } })
      const path = one.path(file)
      mkdirSync(dirname(path), { recursive: true })
      rmSync(path, { force: true })
      kinds[kind]?.(path)
      const { status, stderr } = spawnSync(process.execPath, [...options, command, ...words], {
        cwd: one.path('project'),
        encoding: 'utf8',
        env: { ...process.env, HOME: one.root, XDG_CONFIG_HOME: one.path('config'), XDG_STATE_HOME: one.path('state') },
        timeout: 50_000,
        killSignal: 'SIGKILL',
      })
      expect({ file, status, names: stderr.includes(path) }).toEqual({ file, status: code, names: true })
    }
  },
)
