import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { fromCi, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { ResultLine } from '../../src/schemas/runs.ts'
import { type Everyday, everyday } from './honest/everyday.ts'
import { type Stage, stage } from './stage/stage.ts'

// Walls where the machine has them, as for every user.
const environment = { LOADER_WALLS: '' }

describe.runIf(fromCi)('honest work is believed by the built command', () => {
  test.for(sample(everyday, { quick: 1, ci: 3 }))('$what', async (story) => {
    const lines = story.turns.flatMap(linesOf)
    // A model that is sent back says the same again.
    await using one = await stage(...lines, ...Array.from({ length: 4 }, () => line('Done.')))
    prepare(one, story)
    for (const [index, { shell, task, words = [] }] of story.turns.entries()) {
      if (shell !== undefined) inShell(one, shell)
      const flags = ['-p', '--permission-mode', 'allow', '--output-format', 'json', ...(index > 0 ? ['-c'] : [])]
      const ended = await one.run([...flags, ...words, task], { environment })
      if (index < story.turns.length - 1) expect(ended).toMatchObject({ code: 0 })
      else expectEnd(ended, story)
    }
  })
})

function expectEnd({ code, stdout }: { readonly code: number | null; readonly stdout: string }, story: Everyday): void {
  const { loader } = ResultLine.parse(JSON.parse(stdout))
  const files = story.restsOn === undefined ? {} : { files: { names: story.restsOn } }
  expect({ code, judgement: loader.judgement }).toMatchObject({
    code: story.word === 'rests_on' ? 3 : 0,
    judgement: { word: story.word, ...files },
  })
}

function linesOf({ does }: Everyday['turns'][number]): WireLine[] {
  const calls = does.map((each) => line('', ...each))
  const saysEnd = does.at(-1)?.some(({ name }) => name === 'finish') === true
  return saysEnd ? calls : [...calls, line('Done.')]
}

function prepare(one: Stage, { files, git, installed = [], modules = 0 }: Everyday): void {
  for (const [path, text] of Object.entries(files)) one.write(path, text)
  for (let index = 0; index < modules; index += 1) {
    one.write(`old/part${Math.floor(index / 50)}/module${index}.js`, `export const value${index} = ${index}\n`)
  }
  if (installed.length > 0) install(one, installed)
  if (git !== true) return
  one.write('.gitignore', 'node_modules\n')
  inShell(one, 'git init -q . && git add -A && git commit -qm start')
}

const bins = { vitest: ['vitest', 'vitest.mjs'], typescript: ['tsc', 'bin/tsc'] } as const
const require = createRequire(import.meta.url)

function install(one: Stage, packages: readonly (keyof typeof bins)[]): void {
  mkdirSync(one.path('node_modules/.bin'), { recursive: true })
  for (const name of packages) {
    const [program, path] = bins[name]
    symlinkSync(dirname(require.resolve(`${name}/package.json`)), one.path('node_modules', name))
    symlinkSync(join('..', name, path), one.path('node_modules/.bin', program))
  }
}

/** The user, in a shell of their own. */
function inShell(one: Stage, command: string): void {
  const name = { GIT_AUTHOR_NAME: 'A User', GIT_COMMITTER_NAME: 'A User' }
  const email = { GIT_AUTHOR_EMAIL: 'user@example.invalid', GIT_COMMITTER_EMAIL: 'user@example.invalid' }
  const env = { ...process.env, ...name, ...email, GIT_CONFIG_GLOBAL: '/dev/null' }
  execFileSync('sh', ['-ec', command], { cwd: one.project, env, stdio: ['ignore', 'ignore', 'pipe'] })
}
