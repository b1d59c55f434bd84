import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { EventOf, SessionEvent } from '@loader/session-core'
import type { Approver, PermissionQuestion } from '@loader/session-core/coding'
import { call, line, ScriptedBackend, temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { fromCi, needing } from '@loader/test-tier'
import { livingCommands, stopLiving } from '@loader/workspace'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { replaySession } from '../src/index.ts'
import { localAgent, localOptions, type LocalAgentOptions } from '../src/local.ts'
import { offerTools } from '../src/offer-tools.ts'
import { findProject } from '@loader/workspace'
import { readSession } from '@loader/session-core'
import { keeper, sourceOptions } from './background/keeper.ts'
import { serverText, startServer } from './background/server.ts'
import { lack } from './done/walls-here.ts'
import { eventsOf, faultsOf } from './scene/whole.ts'

let workspace: TemporaryWorkspace

beforeEach(async () => {
  workspace = await temporaryWorkspace()
  await workspace.write('server.mjs', serverText)
  await workspace.write('page.txt', 'first')
})
afterEach(async () => {
  for (const command of living()) await stopLiving(command)
  await workspace.dispose()
})

const living = () => livingCommands(`${findProject(workspace.root).folders.folder}/scratch`)
const url = 'http://localhost:4173/'
const waitForServer = call('background', { action: 'wait', port: 4173, timeout: 60 })

function optionsWith(lines: Parameters<typeof ScriptedBackend.from>[0], more: Partial<LocalAgentOptions> = {}) {
  const backend = ScriptedBackend.from(lines)
  const offered = offerTools({ background: true, fetch: true })
  return { backend, projectRoot: workspace.root, sessionId: 'served', offered, ...more }
}

/** A port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function isAlive(mark: string | undefined): boolean {
  try {
    process.kill(Number(/^\d+/.exec(mark ?? '')?.[0]), 0)
    return true
  } catch {
    return false
  }
}

const textOf = ({ text }: EventOf<'tool.finished'>) => (typeof text === 'string' ? text : text.excerpt)

describe.runIf(lack === undefined)(needing(lack, 'a background command'), () => {
  test.runIf(fromCi)(
    'is a server that is started, fetched, changed, restarted, published after a question, and stopped in one conversation',
    async () => {
      const asked: PermissionQuestion[] = []
      const approver: Approver = {
        decide: async (question) => (asked.push(question), { permit: 'allow', scope: 'once' }),
      }
      const seen: { published?: Promise<string>; before?: Promise<string> } = {}
      const outside = async (port: number) => {
        const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
        return (await answer?.text()) ?? 'refused'
      }
      const hostPort = await freePort()
      const lines = [
        line(call('bash', startServer)),
        line(waitForServer),
        line(call('fetch', { url })),
        line(call('bash', { command: `node -e "fetch('${url}').then((a) => a.text()).then(console.log)"` })),
        line(call('write', { file_path: 'page.txt', content: 'second\n' })),
        line(call('fetch', { url })),
        line(call('background', { action: 'stop' })),
        line(call('fetch', { url })),
        line(call('bash', startServer)),
        line(call('background', { action: 'wait', id: 'bg2', port: 4173, timeout: 60 })),
        line(call('publish', { port: 4173, host_port: hostPort })),
        line(call('background', { action: 'output', id: 'bg2' })),
        line(call('background', { action: 'stop', id: 'bg2' })),
        line('Served.'),
      ]
      const agent = localAgent(optionsWith(lines))
      await agent.run('Show the page.', {
        approver,
        onEvent: (event) => {
          if (event.type === 'call.examined' && event.reach === 'open') seen.before = outside(hostPort)
          if (event.type === 'port.published') seen.published = outside(event.hostPort)
        },
      })
      const { state } = agent.session
      await agent.close()
      const { store } = localOptions(optionsWith([]))
      const { history } = await readSession(store, 'served')
      expect(faultsOf({ history, state })).toEqual([])

      const results = eventsOf(history, 'tool.finished')
      expect(results.map(({ outcome }) => outcome)).toEqual([
        'ok',
        'ok',
        'ok',
        'ok',
        'ok',
        'ok',
        'ok',
        'failed',
        'ok',
        'ok',
        'ok',
        'ok',
        'ok',
      ])
      const [, , first, later, , second] = results.map(textOf)
      expect(first).toContain('# first')
      expect(later).toContain('<h1>first</h1>')
      expect(second).toContain('# second')
      // Nothing of the user and nothing of an earlier answer is sent.
      expect(second).not.toMatch(/cookie|authorization/i)

      // Its page was reached from inside all the while, and from outside only after the question.
      expect(asked.map(({ title }) => title)).toEqual(['Publish a port'])
      expect(asked[0]?.preview).toContain('Publish port 4173')
      expect(await seen.before).toBe('refused')
      expect(await seen.published).toContain('<h1>second</h1>')
      expect(await outside(hostPort)).toBe('refused')

      expect(eventsOf(history, 'background.started').map(({ id }) => id)).toEqual(['bg1', 'bg2'])
      expect(eventsOf(history, 'background.listened').map(({ ports }) => ports)).toContainEqual([
        { port: 4173, on: 'session' },
      ])
      expect(eventsOf(history, 'background.ended').map(({ id, how }) => [id, how])).toEqual([
        ['bg1', 'stopped'],
        ['bg2', 'stopped'],
      ])
      expect(eventsOf(history, 'port.published')).toMatchObject([{ id: 'bg2', port: 4173, hostPort }])
      for (const { process: mark } of eventsOf(history, 'background.started')) expect(isAlive(mark)).toBe(false)
      const replay = await replaySession(history, { tools: 'stub', agent: localOptions(optionsWith([])) })
      expect(replay).toMatchObject({ kind: 'decided', divergence: null })
    },
  )

  test('changes what a file says while nobody calls anything, so that it can be read again', async () => {
    const log = 'echo one > log.txt; until [ -e go ]; do sleep 0.05; done; echo two > log.txt; sleep 300'
    const read = line(call('read', { file_path: 'log.txt' }))
    const agent = localAgent(
      optionsWith([
        line(call('bash', { command: log, background: true })),
        async () => {
          await vi.waitFor(async () => expect(await workspace.read('log.txt')).toBe('one\n'), 30_000)
          return read
        },
        async () => {
          await workspace.write('go', '')
          await vi.waitFor(async () => expect(await workspace.read('log.txt')).toBe('two\n'), 30_000)
          return read
        },
        line('Read.'),
      ]),
    )
    await agent.run('Follow the log.')
    await agent.close()
    const { history } = await readSession(localOptions(optionsWith([])).store, 'served')
    const [, first, second] = eventsOf(history, 'tool.finished')
    expect([first, second].map((one) => one && [one.outcome, /one|two/.exec(textOf(one))?.[0]])).toEqual([
      ['ok', 'one'],
      ['ok', 'two'],
    ])
  })

  test('says in the session what was set aside while it went on', async () => {
    const command = 'touch .envrc; while test -e .envrc; do sleep 0.1; done'
    const wait = call('background', { action: 'wait', timeout: 60 })
    const agent = localAgent(
      optionsWith([line(call('bash', { command, background: true })), line(wait), line('It ran.')]),
    )
    await agent.run('Run it.')
    await agent.close()
    const { history } = await readSession(localOptions(optionsWith([])).store, 'served')
    const guarded = expect.stringContaining('.envrc is guarded, because other programs run what is there') as string
    expect(eventsOf(history, 'tool.finished').map(textOf)).toContainEqual(guarded)
    expect(eventsOf(history, 'background.ended')).toMatchObject([{ id: 'bg1', how: 'exited', note: guarded }])
  })

  test('ends with the session, which says so', async () => {
    const agent = localAgent(optionsWith([line(call('bash', startServer)), line('It runs.')]))
    await agent.run('Start the server.')
    const [command] = living()
    expect(command).toMatchObject({ id: 'bg1', session: 'served', keeps: false })
    await agent.close()
    expect(living()).toEqual([])
    const { history } = await readSession(localOptions(optionsWith([])).store, 'served')
    expect(eventsOf(history, 'background.ended')).toMatchObject([{ id: 'bg1', how: 'closed' }])
    expect(isAlive(eventsOf(history, 'background.started')[0]?.process)).toBe(false)
  })

  describe.runIf(fromCi)('of a loader that is killed', () => {
    async function killed(how: 'ends' | 'keep'): Promise<EventOf<'background.started'>> {
      const program = fileURLToPath(new URL('background/child.ts', import.meta.url))
      const child = spawn(process.execPath, [...sourceOptions, program, workspace.root, 'served', how], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let started: EventOf<'background.started'> | undefined
      for await (const text of createInterface({ input: child.stdout })) {
        const event = JSON.parse(text) as SessionEvent
        if (event.type === 'background.started') started = event
        if (event.type === 'background.listened') break
      }
      expect(isAlive(started?.process)).toBe(true)
      child.kill('SIGKILL')
      await once(child, 'exit')
      return started as EventOf<'background.started'>
    }

    async function takenUp(lines: Parameters<typeof ScriptedBackend.from>[0], more: Partial<LocalAgentOptions> = {}) {
      const options = optionsWith(lines, more)
      const agent = localAgent(options)
      expect(await agent.resumeSession('served', { takeover: true })).toBe(true)
      await agent.run('Go on.')
      await agent.close()
      const { history } = await readSession(localOptions(optionsWith([])).store, 'served')
      return { history, requests: (options.backend as ScriptedBackend).requests }
    }

    test('dies with it, and is called gone', async () => {
      const { process: mark } = await killed('ends')
      await vi.waitFor(() => expect(isAlive(mark)).toBe(false), 5000)
      expect(living()).toEqual([])
      // Also by an agent that can start none.
      const { history, requests } = await takenUp([line('I see.')], { offered: offerTools({}) })
      expect(eventsOf(history, 'background.ended')).toMatchObject([{ id: 'bg1', how: 'gone' }])
      expect(JSON.stringify(requests.at(-1)?.messages)).toContain('[BACKGROUND] bg1')
    })

    test('goes on with an owner of its own, is found again, and dies with that owner', async () => {
      const { process: mark } = await killed('keep')
      expect(living()).toMatchObject([{ id: 'bg1', keeps: true, ports: [{ port: 4173, on: 'session' }] }])
      expect(isAlive(mark)).toBe(true)
      const command = `node -e "fetch('${url}').then((a) => a.text()).then(console.log)"`
      const { history } = await takenUp(
        [
          line(call('fetch', { url })),
          line(call('bash', { command })),
          line(call('bash', startServer)),
          line('Found.'),
        ],
        { offered: offerTools({ background: true, fetch: true, keeper }) },
      )
      const texts = eventsOf(history, 'tool.finished').map(textOf)
      expect(texts.filter((text) => text.includes('# first') || text.includes('<h1>first</h1>'))).toHaveLength(2)
      expect(eventsOf(history, 'background.ended').filter(({ id }) => id === 'bg1')).toEqual([])
      // Killing the owner is all that is needed: nobody cleans up behind it.
      const [first] = living()
      const owner = JSON.parse(await readFile(`${first?.folder}/record.json`, 'utf8')) as { owner: string }
      process.kill(Number(/^\d+/.exec(owner.owner)?.[0]), 'SIGKILL')
      await vi.waitFor(() => expect(isAlive(mark)).toBe(false), 5000)
      expect(living().filter(({ id }) => id === 'bg1')).toEqual([])
    })
  })
})

describe.runIf(lack === undefined)('files that a background command changes', () => {
  /** Writes when the test says so, and goes on. */
  const writer = (file: string) => ({
    command: `while [ ! -e .go ]; do sleep 0.02; done; echo wrong > ${file}; touch .done; exec sleep 1000`,
    background: true,
  })

  async function project(): Promise<void> {
    await workspace.write('.gitignore', '.go\n.done\n')
    await workspace.write('value.txt', 'none\n')
    await workspace.write('check.sh', 'sleep 1; grep -q right value.txt\n')
  }

  test.runIf(fromCi)(
    'while checks run are checked as well: what is done is so for the files as they are then',
    async () => {
      await project()
      const lines = [
        line(call('bash', writer('value.txt'))),
        line(call('write', { file_path: 'value.txt', content: 'right\n' })),
        line('It is right.'),
        line('It is not.'),
      ]
      const agent = localAgent(optionsWith(lines, { config: { limits: { verificationRetries: 1 } } }))
      const result = await agent.run('Make it right.', {
        doneWhen: [{ command: 'sh check.sh' }],
        onEvent: (event) => {
          if (event.type === 'check.started') void workspace.write('.go', '')
        },
      })
      await agent.close()
      const { history } = await readSession(localOptions(optionsWith([])).store, 'served')
      const runs = eventsOf(history, 'check.finished').filter(({ evidence }) => evidence.room === 'now')
      // It passed on the files that it ran on, and those of the workspace were others by then.
      expect(runs[0]?.evidence.outcome).toBe('passed')
      expect(runs.at(-1)?.evidence.outcome).toBe('failed')
      expect(new Set(runs.map(({ evidence }) => evidence.tree)).size).toBeGreaterThan(1)
      expect(result.verdict).not.toBe('verified')
      expect(faultsOf({ history })).toEqual([])
    },
  )

  test('between turns are not taken for changes of the user', async () => {
    await project()
    const lines = [
      line(call('bash', writer('check.sh'))),
      line('It goes on.'),
      line(call('bash', { command: 'true > a' })),
      line('Yes.'),
    ]
    const agent = localAgent(optionsWith(lines, { config: { completionCheck: false } }))
    await agent.run('Start it.')
    await workspace.write('.go', '')
    await vi.waitFor(() => expect(existsSync(workspace.path('.done'))).toBe(true), 20_000)
    await agent.run('Go on.')
    const { before, workspace: seen } = agent.session.state ?? {}
    await agent.close()
    expect(seen?.tree?.id).not.toBe(before?.tree.base)
    expect(before?.tree.layers).toEqual([])
  })
})
