import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { isSessionEvent, readSession } from '@loader/session-core'
import { PostgresSessionStore } from '@loader/session-postgres'
import { Dispatch, type Settlement } from '@loader/session-postgres/dispatch'
import { call, line } from '@loader/test-harness'
import type { WireScriptLine } from '@loader/test-harness/wire'
import { type Server, sharedServer } from '@loader/test-postgres'
import { fromCi, sample } from '@loader/test-tier'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from '../../src/arguments/parse.ts'
import { commands, main } from '../../src/commands/table.ts'
import { givenForMain } from '../../src/fleet/given-for-main.ts'
import { Worker } from '../../src/fleet/worker.ts'
import { parseStoreAddress } from '../../src/settings/store-address.ts'
import { fleetStage } from './fleet-stage.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

/** How often a model was asked. */
let asked = 0

const model: WireScriptLine = ({ messages }) => {
  asked += 1
  const results = messages.flatMap((message) => message.results)
  if (results.length === 0) return line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' }))
  if (results.length === 1) return line('I run it.', call('bash', { command: 'echo b > b.txt' }))
  return line('It is done.')
}

/** How a session was left by a worker that was told to end. */
interface Left {
  /** Where it stands in line; nothing when it is done. */
  readonly standing: string | undefined
  readonly kills: number
  readonly isHeld: boolean
  readonly folders: readonly string[]
  /** Whether the worker says that it gave everything back. */
  readonly isAllBack: boolean
  /** What it had asked of the database by then. */
  readonly statements: number
  readonly outcomes: readonly string[]
  /** How often a model was asked after it was told. */
  readonly askedLater: number
}

/** A worker in this process that is told to end before its nth statement is sent, over a line that may be wrong. */
async function toldAt(nth: number, Line: typeof Dispatch = Dispatch): Promise<Left> {
  await using fleet = await fleetStage(server, ...Array.from({ length: 20 }, () => model))
  const { one, environment } = fleet
  one.write('README', 'A project.\n')
  const id = (await one.runHere(['run', 'Run the command.', '--detach'], { environment })).stdout.trim()
  const pool = new pg.Pool({ connectionString: server.address })
  const address = parseStoreAddress(fleet.address)
  const store = new PostgresSessionStore(pool, { tenant: address.tenant ?? '' })
  const dispatch = new Line(store)
  const projects = join(fleet.folderOn('here'), '..')
  const given = parse(['worker', '--projects', projects, '--permission-mode', 'danger-full-access'], commands, main)
  const console = {
    stdin: Object.assign(Readable.from([]), { isTTY: false }),
    stdout: Object.assign(new PassThrough().resume(), { isTTY: false }),
    stderr: Object.assign(new PassThrough().resume(), { isTTY: false }),
    environment: { ...one.environment, ...environment, LOADER_STATE: join(projects, 'state') },
    folder: projects,
    version: '0.0.0',
  }
  const say = (words: string) => words.startsWith('done ') && worker.end()
  const ports = { name: 'w', dispatch, store, address, projects, given: givenForMain(given, main), console, say }
  const worker = new Worker(ports, { concurrency: 1, graceMs: 20_000, about: {} })
  let [statements, askedThen] = [0, Infinity]
  beforeEach(pool, () => {
    statements += 1
    if (statements !== nth) return
    askedThen = asked
    worker.end()
  })
  try {
    const isAllBack = await worker.run()
    const { sessions } = await fleet.dispatch.fleet()
    const { history } = await readSession(fleet.store, id)
    const outcomes = history.filter(isSessionEvent).filter((event) => event.type === 'tool.finished')
    return {
      standing: sessions[0]?.standing,
      kills: sessions[0]?.kills ?? 0,
      isHeld: (await fleet.store.holder(id)) !== null,
      folders: heldFolders(projects),
      isAllBack,
      statements,
      outcomes: outcomes.map(({ outcome }) => outcome),
      askedLater: Math.max(0, asked - askedThen),
    }
  } finally {
    await store.close()
    await pool.end()
  }
}

function beforeEach(pool: pg.Pool, told: () => void): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  const connectCounting = async () => {
    const client = await connect()
    return new Proxy(client, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        return (...words: readonly unknown[]) => {
          if (key === 'query') told()
          return Reflect.apply(value, target, words) as unknown
        }
      },
    })
  }
  Object.assign(pool, { connect: connectCounting })
}

function heldFolders(projects: string): readonly string[] {
  const hands = join(projects, '.in-hand')
  if (!readdirSync(projects).includes('.in-hand')) return []
  return readdirSync(hands).filter((name) => readFileSync(join(hands, name), 'utf8') !== 'free\n')
}

/** Given back, or done: nobody has it, and its worker was not killed by it. */
function isInOrder({ standing, kills, isHeld, folders, isAllBack }: Left): boolean {
  return isAllBack && !isHeld && kills === 0 && folders.length === 0 && (standing ?? 'queued') === 'queued'
}

class GivesNothingBack extends Dispatch {
  override async settle(id: string, epoch: number, how: Settlement): Promise<boolean> {
    return how.kind === 'open' ? true : super.settle(id, epoch, how)
  }
}

class LeavesNothing extends Dispatch {
  override async leave(): Promise<void> {}
}

describe.runIf(fromCi)('a worker that is told to end', { timeout: 600_000 }, () => {
  test('at any moment gives its session back, or has done it', async () => {
    const undisturbed = await toldAt(Infinity)
    expect(undisturbed).toMatchObject({ standing: undefined, kills: 0, outcomes: ['ok', 'ok'] })
    const all = Array.from({ length: undisturbed.statements }, (_unused, index) => index + 1)
    expect(all.length).toBeGreaterThan(20)
    for (const nth of sample(all, { quick: 0, ci: 6 })) {
      const left = await toldAt(nth)
      expect({ nth, left, isInOrder: isInOrder(left) }).toMatchObject({ isInOrder: true })
      // It ends with the step in hand. A call that was not cut off has its result: nothing is in doubt.
      expect(left.askedLater).toBeLessThanOrEqual(1)
      expect(left.outcomes.every((outcome) => outcome === 'ok')).toBe(true)
    }
  })

  test.each([
    { fault: 'gives nothing back', Line: GivesNothingBack, moments: [15, 18, 21, 12, 24, 27] },
    { fault: 'leaves nothing', Line: LeavesNothing, moments: [4, 5, 6, 3, 7, 8, 9, 2] },
  ])('is noticed when it $fault', async ({ Line, moments }) => {
    const found: number[] = []
    for (const nth of moments) if (found.length === 0 && !isInOrder(await toldAt(nth, Line))) found.push(nth)
    expect(found).toHaveLength(1)
  })
})
