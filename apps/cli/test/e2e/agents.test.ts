import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readSession, type SessionStore } from '@loader/session-core'
import { PostgresSessionStore } from '@loader/session-postgres'
import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { anyInstallation, Server } from '@loader/test-postgres'
import { fromCi, times } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { type Stage, stage } from './stage/stage.ts'

const parts = ['first', 'second', 'third']
const give = (part: string) => ({
  description: `Make ${part}`,
  prompt: `Please make the ${part} part.`,
  agent: 'maker',
})
const usage = { inputTokens: 1000, outputTokens: 10 }

/** Three agents make a file each, and a fourth one only looks. */
const script: readonly WireLine[] = [
  {
    ...line(
      'I split it.',
      ...parts.map((part) => call('agent', give(part))),
      call('agent', { description: 'Look around', prompt: 'Please look around.' }),
    ),
    when: { lastUser: 'Split the work', lastResult: null },
    repeat: 'any',
    usage,
  },
  ...parts.flatMap((part): WireLine[] => [
    {
      ...line(`I make it.`, call('write', { file_path: `${part}.txt`, content: `${part}\n` })),
      when: { lastUser: `make the ${part} part`, lastResult: null },
      repeat: 'any',
      usage,
    },
    { ...line(`Made ${part}.`), when: { lastUser: `make the ${part} part` }, repeat: 'any', usage },
  ]),
  {
    ...line('I look.', call('glob', { pattern: '*' })),
    when: { lastUser: 'Please look around', lastResult: null },
    repeat: 'any',
    usage,
  },
  { ...line('I have seen it.'), when: { lastUser: 'Please look around' }, repeat: 'any', usage },
  { ...line('All parts are made.'), repeat: 'any', usage },
]

const flags = ['--tools', 'agent', '--mode', 'execute', '--config', 'completionCheck=false']

async function prepared(): Promise<Stage> {
  const one = await stage(...script)
  one.write(
    '.loader/agents/maker.md',
    '---\nname: maker\ndescription: Makes one part.\ntools: Read, Write\n---\nMake it.\n',
  )
  one.write('notes.txt', 'notes\n')
  spawnSync('git', ['init', '-q'], { cwd: one.project })
  return one
}

/** What holds at the end, however the processes ended. */
async function requireDone(one: Stage, store: SessionStore = one.store): Promise<void> {
  for (const part of parts) expect(readFileSync(one.path(`${part}.txt`), 'utf8')).toBe(`${part}\n`)
  const { rows } = await store.list({ check: true })
  const [parent, ...others] = rows.filter((row) => row.parent === undefined)
  expect(others).toEqual([])
  const { state } = await readSession(store, parent?.id ?? '')
  expect(state.lastTurn?.reason).toBe('turn_complete')
  expect(state.children?.map(({ title, finished }) => `${title}: ${finished?.outcome}`).sort()).toEqual(
    [...parts.map((part) => `Make ${part}: ok`), 'Look around: ok'].sort(),
  )
  expect(
    rows
      .filter((row) => row.parent === parent?.id)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(state.children?.map(({ id }) => id).sort())
  let requests = 0
  for (const { id } of state.children ?? []) {
    const child = (await readSession(store, id)).state
    expect([child.usage.turns, child.parent?.id]).toEqual([1, parent?.id])
    requests += child.usage.requests
  }
  expect(state.childUsage?.requests).toBe(requests)
}

const copiesIn = (folder: string) => readdirSync(folder).flatMap((project) => readdirSync(`${folder}/${project}`))

test('a task is split over four agents, which are shown, listed and counted with it', async () => {
  await using one = await prepared()
  const ended = await one.run(['-p', 'Split the work', ...flags, '--output-format', 'json'])
  expect(ended).toMatchObject({ code: 0 })
  const result = JSON.parse(ended.stdout)
  expect(result).toMatchObject({
    result: expect.stringContaining('All parts are made.'),
    usage: { input_tokens: 10_000, output_tokens: 100 },
  })
  await requireDone(one)
  const listed = async (...more: string[]) =>
    JSON.parse((await one.runHere(['sessions', '--json', ...more])).stdout).sessions
  expect((await listed()).map(({ id }: { id: string }) => id)).toEqual([result.session_id])
  expect((await listed('--agents')).length).toBe(5)
  // The latest session is that of the user.
  const shown = await one.runHere(['show'])
  expect(shown.stdout).toMatch(/agent "Make first" is done, present; 2(\.0)?k tokens/)
  expect(shown.stdout).toContain('agent "Make second": 1 file taken over')
  // Lines are broken at the width of the terminal.
  const timeline = (await one.runHere(['timeline'])).stdout.replaceAll(/\s+/g, ' ')
  for (const step of [' works in a copy: session ses_', ' has begun', ' is done, present; 2', ': 1 file taken over'])
    expect(timeline).toContain(`agent "Make first"${step}`)
  const used = JSON.parse((await one.runHere(['usage', '--json'])).stdout)
  expect([used.total.inputTokens, used.agents.usage.inputTokens]).toEqual([2000, 8000])
  expect((await one.runHere(['usage'])).stdout).toMatch(/agent Look around/)
  const [child] = (await listed('--agents')).filter(({ title }: { title: string }) => title === 'Make third')
  expect((await one.runHere(['diff', child.id])).stdout).toContain('third.txt')
  expect((await one.runHere(['delete', result.session_id, '--yes'])).code).toBe(0)
  expect(await listed('--agents')).toEqual([])
  expect((await one.runHere(['doctor'])).stdout).toMatch(/agent +off/)
})

test('requests are the same bytes where no agents are wanted, whatever files define', async () => {
  const bodies: unknown[] = []
  for (const isDefined of [false, true]) {
    await using one = await stage({ ...line('Hello.'), repeat: 'any' })
    if (isDefined) one.write('.loader/agents/maker.md', '---\nname: maker\ndescription: Makes.\n---\nMake it.\n')
    await one.runHere(['-p', 'Say hello', '--mode', 'execute', '--config', 'completionCheck=false'])
    bodies.push(JSON.stringify(one.server.requests.map(({ body }) => body)).replaceAll(one.project, 'PROJECT'))
  }
  expect(bodies[1]).toBe(bodies[0])
  expect(bodies[0]).not.toContain('"agent"')
})

test.runIf(fromCi)(
  'a loader that is killed goes on with its agents, and nothing is lost or done twice',
  { timeout: 600_000 },
  async () => {
    const kills = times({ quick: 1, ci: 1, long: 10 })
    for (let kill = 1; kill <= kills; kill += 1) {
      await using one = await prepared()
      const first = one.start(['-p', 'Split the work', ...flags])
      const after = kills === 1 ? 6 : Math.ceil((kill * 9) / kills)
      await expect
        .poll(() => one.server.requests.length, { timeout: 60_000, interval: 5 })
        .toBeGreaterThanOrEqual(after)
      first.process.kill('SIGKILL')
      await first.ended
      const ended = await one.runBuilt(['-c', '-p', '--tools', 'agent'])
      expect([after, ended.code, ended.code === 0 ? '' : ended.stderr]).toEqual([after, 0, ''])
      await requireDone(one)
      expect(existsSync(`${one.state}-copies`) ? copiesIn(`${one.state}-copies`) : []).toEqual([])
    }
  },
)

test.runIf(fromCi)('a task is split over agents in a database too', { timeout: 120_000 }, async () => {
  const server = await Server.start(anyInstallation())
  const tenant = randomUUID()
  try {
    await using store = new PostgresSessionStore(server.address, { tenant })
    await using one = await prepared()
    const ended = await one.runBuilt([
      '-p',
      'Split the work',
      ...flags,
      '--store',
      `${server.address}?tenant=${tenant}`,
    ])
    expect([ended.code, ended.code === 0 ? '' : ended.stderr]).toEqual([0, ''])
    await requireDone(one, store)
    const listed = await one.runHere(['sessions', '--json', '--store', `${server.address}?tenant=${tenant}`])
    expect(JSON.parse(listed.stdout).sessions.length).toBe(1)
  } finally {
    await server.dispose()
  }
})
