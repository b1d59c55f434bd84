import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAgent } from '@loader/agent/local'
import { readSession, type SessionState, whyNotSaved } from '@loader/session-core'
import { PostgresSessionStore } from '@loader/session-postgres'
import { call, line, ScriptedBackend, type ScriptedCall } from '@loader/test-harness'
import { type TwoMachines, twoMachines, whyNoCable } from '@loader/test-postgres'
import { fromCi, needing, sample } from '@loader/test-tier'
import { findProject } from '@loader/workspace'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Worker } from '../children/worker.ts'

const withoutCable = fromCi ? whyNoCable() : 'it takes too long for the quick tier'

describe.runIf(withoutCable === undefined)(needing(withoutCable, 'a session goes on on another machine'), () => {
  let machines: TwoMachines
  beforeAll(async () => {
    machines = await twoMachines()
  })
  afterAll(() => machines?.[Symbol.asyncDispose]())

  /** A session with a task, of a project that is on this machine; the other one goes on with it, and the cable is pulled. */
  async function scene(steps: readonly (readonly ScriptedCall[])[], work: (scene: Scene) => Promise<void>) {
    const { server, cable } = machines
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'cable-')))
    const tenant = randomUUID()
    const workers: Worker[] = []
    const store = new PostgresSessionStore(server.address, { tenant, leaseMs: 2_000 })
    try {
      const homes = ['begun', 'there', 'here'].map((name) => join(base, name))
      for (const home of homes) mkdirSync(home)
      const [begun = '', there = '', here = ''] = homes
      await begin(store, begun)
      const script = JSON.stringify([[call('write', { file_path: 'first.txt', content: 'first\n' })], ...steps])
      const start = (inside: readonly string[], address: string, home: string) => {
        const worker = new Worker(inside, [address, tenant, home, script])
        workers.push(worker)
        return worker
      }
      const away = start(cable.insideWith(there), cable.addressOf(server), there)
      await work({
        store,
        tenant,
        away,
        there,
        project: join(here, 'project'),
        goOn: () => start([], server.address, here),
      })
    } finally {
      cable.plugIn()
      for (const worker of workers) worker.end()
      await store.close()
      rmSync(base, { recursive: true, force: true })
    }
  }

  /** The first turn, which changes a file, and a second task that nobody has begun. */
  async function begin(store: PostgresSessionStore, home: string): Promise<void> {
    const root = join(home, 'project')
    mkdirSync(root)
    writeFileSync(join(root, 'a.txt'), 'a\n')
    const variables = { ...process.env, LOADER_STATE: join(home, 'state') }
    const write = call('write', { file_path: 'zero.txt', content: 'zero\n' })
    await using agent = localAgent({
      backend: ScriptedBackend.from([line('I write.', write), line('It is written.')]),
      projectRoot: root,
      project: findProject(root, { variables }),
      store,
      sessionId: 's',
      walls: { use: 'off' },
      config: { permissionMode: 'allow', completionCheck: false },
    })
    await agent.run('Write zero.')
    await agent.queueSteeringMessage('And go on.')
  }

  const stateNow = async (store: PostgresSessionStore): Promise<SessionState> => (await readSession(store, 's')).state

  /** Each takes seconds, in which leases end. A worker that stands still in a tool is tried in CI as well. */
  const moments = sample(['a pack', 'a tool', 'an append'], { quick: 1, ci: 1 })

  test.runIf(moments.includes('a tool'))(
    'the cable is pulled in a tool: what it did is on the other machine only',
    { timeout: 120_000 },
    async () => {
      const { cable } = machines
      const hang = [call('bash', { command: 'echo begun > begun.txt; sleep 600' })]
      await scene([hang], async ({ store, away, there, project, goOn }) => {
        // The first call is stored, with its file; the second one has begun.
        await away.says('tool.started', 2)
        expect(await away.says('prepared')).toBe(`prepared ${join(there, 'project')}`)
        cable.pull()
        // Its processes end with its lease, and it records nothing more.
        expect(await away.says('failed')).toBe('failed writer_fenced')
        const { seq } = await stateNow(store)
        const worker = goOn()
        expect(await worker.says('ended')).toMatch(/^ended turn_complete ok ok unknown/)
        expect(filesIn(project)).toEqual({ 'a.txt': 'a\n', 'zero.txt': 'zero\n', 'first.txt': 'first\n' })
        // The folder of the other machine is a file system of its own.
        expect(existsSync(join(there, 'project'))).toBe(false)
        expect((await stateNow(store)).seq).toBeGreaterThan(seq)
      })
    },
  )

  test.each(
    [
      ['an append', 'echo x > x.txt', 'insert into "loader".event'] as const,
      ['a pack', 'head -c 200000 /dev/urandom > x.txt', 'insert into "loader".blob'] as const,
    ].filter(([what]) => moments.includes(what)),
  )(
    'the cable is pulled in %s: no result is there without its files',
    { timeout: 120_000 },
    async (what, make, statement) => {
      const calls = [call('bash', { command: `sleep 1; ${make}` })]
      await scene([calls], async ({ store, tenant, away, project, goOn }) => {
        await away.says('tool.started', 2)
        const letGo = await machines.hold(tenant)
        await machines.untilWaiting(statement)
        machines.cable.pull()
        await letGo()
        await away.says('failed')
        const before = await stateNow(store)
        expect(whyNotSaved(before)).toBeUndefined()
        const isStored = before.turn?.calls.every(({ outcome }) => outcome !== undefined) === true
        const worker = goOn()
        expect(await worker.says('ended')).toMatch(isStored ? /ok ok ok/ : /ok ok unknown/)
        expect(Object.keys(filesIn(project))).toEqual([
          'a.txt',
          'first.txt',
          ...(isStored ? ['x.txt'] : []),
          'zero.txt',
        ])
        if (what === 'an append') expect(isStored).toBe(true)
        const { intact, findings } = await store.verify('s')
        expect({ intact, findings }).toEqual({ intact: true, findings: [] })
      })
    },
  )
})

interface Scene {
  readonly store: PostgresSessionStore
  readonly tenant: string
  /** On the other machine. */
  readonly away: Worker
  readonly there: string
  /** The folder that this machine goes on in. */
  readonly project: string
  readonly goOn: () => Worker
}

function filesIn(root: string): Record<string, string> {
  const names = readdirSync(root).filter((name) => statSync(join(root, name)).isFile())
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(root, name), 'utf8')]))
}
