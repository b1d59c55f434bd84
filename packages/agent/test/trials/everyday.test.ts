import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { everyNth, fromCi } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Project } from './everyday/everyday.ts'
import { git } from './everyday/git.ts'
import { cargo, go, make, npm, pnpm, python } from './everyday/languages.ts'
import { programs, shell, takenForLooking } from './everyday/shell.ts'
import { Runner, type TrialPlace } from './runner.ts'

const bases = fileURLToPath(new URL('../../.turbo/trials/', import.meta.url))
const all: readonly Project[] = [shell, programs, git, npm, pnpm, python, make, cargo, go]
/** Each takes a process and walls of its own; in the quick tier, the one whose commands take least. */
const projects = fromCi ? all : [shell]

/** With the home folder and the programs of whoever runs the tests. */
const variables: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ),
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

function missing({ needs }: Project): string | undefined {
  const absent = needs.filter((name) => {
    try {
      execFileSync('sh', ['-c', `command -v ${name}`], { env: variables, stdio: 'ignore' })
      return false
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return true
    }
  })
  return absent.length === 0 ? undefined : `${absent.join(', ')} is not installed`
}

describe.each(projects)('everyday work in a project of $kind', (project) => {
  const base = (mkdirSync(bases, { recursive: true }), mkdtempSync(bases))
  const root = join(base, 'project')
  const place: TrialPlace = { root, variables, scratch: join(base, 'scratch'), caches: join(base, 'caches') }
  let runner: Runner
  let why = missing(project)

  beforeAll(async () => {
    for (const folder of [place.scratch, place.caches]) mkdirSync(folder)
    for (const [path, text] of Object.entries(project.files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    if (why === undefined && project.setup !== undefined) {
      execFileSync('bash', ['-c', project.setup], { cwd: root, env: variables, stdio: ['ignore', 'ignore', 'inherit'] })
    }
    runner = new Runner()
    const walls = await runner.stateOf(place)
    if (walls.state !== 'held') why ??= walls.why ?? 'there are no walls'
  })
  afterAll(async () => {
    await runner[Symbol.asyncDispose]()
    rmSync(base, { recursive: true, force: true })
  })

  const run = (command: string) =>
    runner.run({
      place,
      tool: 'bash',
      input: { command, timeout: 100 },
      mode: 'workspace-write',
      sessionId: 'everyday',
    })

  /** In shorter runs the first ones: many go on from where the one before has left the project. */
  const share = everyNth({ quick: 15, ci: 3, long: 1 })
  const commands = project.commands.slice(0, Math.ceil(project.commands.length / share))

  test.for(commands.map((each) => (typeof each === 'string' ? ([each, /(?:)/] as const) : each)))(
    'needs no question and succeeds: %s',
    async ([command, prints], { skip }) => {
      if (why !== undefined) skip(why)
      const { permit, reason, reach, ran } = await run(command)
      expect({ permit, reason }).toMatchObject({ permit: 'allow' })
      expect(['look', 'work']).toContain(reach)
      expect({ reach, ...ran }).toMatchObject({
        exitCode: 0,
        walls: 'bubblewrap',
        text: expect.stringMatching(prints) as string,
      })
    },
  )

  test.for(project === shell ? takenForLooking : [])(
    'is told how to ask when it was taken for looking: %s',
    async (command, { skip }) => {
      if (why !== undefined) skip(why)
      const { reach, ran } = await run(command)
      expect({ reach, ran }).toMatchObject({ reach: 'look', ran: { outcome: 'failed' } })
      expect(ran?.text).toMatch(/Call again with reach work/)
    },
  )
})
