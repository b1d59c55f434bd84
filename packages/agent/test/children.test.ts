import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  isSessionEvent,
  MemoryStore,
  noTotals,
  readSession,
  type SessionStore,
  usageWithChildren,
} from '@loader/session-core'
import type { Approver } from '@loader/session-core/coding'
import { call, temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Agent, replaySession, type AgentConfig } from '../src/index.ts'
import { localAgent, localOptions, type LocalAgentOptions } from '../src/local.ts'
import { offerTools, type WantedAgents } from '../src/offer-tools.ts'
import { childResult } from '../src/children/child-result.ts'
import { type Told, toldModel } from './children/told-model.ts'
import { findProject } from '@loader/workspace'

let workspace: TemporaryWorkspace
let store: SessionStore

beforeEach(async () => {
  workspace = await temporaryWorkspace({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'shared.txt': 'as it was\n' } })
  spawnSync('git', ['init', '-q'], { cwd: workspace.root })
  store = new MemoryStore()
})
afterEach(() => workspace.dispose())

const look = (description: string, prompt = description) => call('agent', { description, prompt })
const change = (description: string, prompt = description) => call('agent', { description, prompt, changes: true })
const write = (file_path: string, content: string) => call('write', { file_path, content })

function agentWith(
  told: Record<string, Told>,
  more: Partial<LocalAgentOptions> & { agents?: WantedAgents } = {},
): Agent {
  const { agents = {}, ...options } = more
  const config: AgentConfig = { completionCheck: false, ...options.config }
  return localAgent({
    backend: toldModel(told),
    projectRoot: workspace.root,
    walls: { use: 'off' },
    store,
    sessionId: 'parent',
    offered: offerTools({ agents }),
    ...options,
    config,
  })
}

const textIn = (path: string) => readFileSync(join(workspace.root, path), 'utf8')

async function eventsOf(id = 'parent') {
  const { history } = await readSession(store, id)
  return history.filter(isSessionEvent)
}

async function childrenOf(id = 'parent') {
  return (await readSession(store, id)).state.children ?? []
}

async function resultsOf(id = 'parent') {
  const events = await eventsOf(id)
  return events.flatMap((event) => (event.type === 'tool.finished' ? [event] : []))
}

describe('the tool agent', () => {
  test.runIf(fromCi)('splits a task over four agents that run at once, and takes their changes over', async () => {
    const told = {
      'Split it': {
        steps: [[change('write one'), change('write two'), look('count files'), look('read a')]],
        last: 'All four are done.',
      },
      'write one': { steps: [[write('one.txt', '1\n')]], last: 'Wrote one.txt' },
      'write two': { steps: [[write('two.txt', '2\n'), write('b.txt', 'two was here\n')]], last: 'Wrote two.txt' },
      'count files': { steps: [[call('glob', { pattern: '*.txt' })]], last: 'There are three.' },
      'read a': { steps: [[call('read', { file_path: 'a.txt' })]], last: 'It says a.' },
    }
    await using agent = agentWith(told)
    const result = await agent.run('Split it', { mode: 'execute' })
    expect(result).toMatchObject({ reason: 'turn_complete', response: 'All four are done.' })
    expect([textIn('one.txt'), textIn('two.txt'), textIn('b.txt')]).toEqual(['1\n', '2\n', 'two was here\n'])
    const children = await childrenOf()
    expect(children.map(({ title, place, finished }) => `${title}: ${place}, ${finished?.outcome}`).sort()).toEqual([
      'count files: look, ok',
      'read a: look, ok',
      'write one: copy, ok',
      'write two: copy, ok',
    ])
    // Every child is durable in the log of its parent before it exists, and all of them ran together.
    const events = await eventsOf()
    const seqsOf = (type: string) =>
      events.flatMap((event) => {
        const child = 'childId' in event ? children.find(({ id }) => id === event.childId) : undefined
        return event.type === type && child?.place === 'copy' ? [event.seq] : []
      })
    expect(Math.max(...seqsOf('child.assigned'))).toBeLessThan(Math.min(...seqsOf('child.finished')))
    for (const { id, callId } of children) {
      const { state } = await readSession(store, id)
      expect(state.parent).toEqual({ id: 'parent', callId, depth: 1 })
    }
    const texts = (await resultsOf()).map(({ text }) => text)
    expect(texts[1]).toContain('Taken over into the workspace: b.txt, two.txt.')
    expect(texts[3]).toContain('It says a.')
    // Copies go, their trees stay.
    const { folders } = findProject(workspace.root)
    expect(readdirSync(join(folders.folder, 'copies'))).toEqual([])
  })

  test('keeps both versions where two write the same file, and says so', async () => {
    const told = {
      'Both at once': { steps: [[change('first'), change('second')]], last: 'Done.' },
      first: { steps: [[write('shared.txt', 'by the first\n')]], last: 'First.' },
      second: { steps: [[write('shared.txt', 'by the second\n'), write('own.txt', 'own\n')]], last: 'Second.' },
    }
    await using agent = agentWith(told)
    await agent.run('Both at once', { mode: 'execute' })
    // The order of the calls decides, not which of them was faster.
    expect([textIn('shared.txt'), textIn('own.txt')]).toEqual(['by the first\n', 'own\n'])
    const [first, second] = await resultsOf()
    expect(first?.text).toContain('Taken over into the workspace: shared.txt.')
    expect(second?.text).toContain('Taken over into the workspace: own.txt.')
    expect(second?.text).toContain('Not taken over, because the workspace has another version: shared.txt.')
    const children = await childrenOf()
    const child = children.find(({ callId }) => callId === second?.callId)
    expect(child?.merged).toEqual({ files: 1, conflicts: ['shared.txt'] })
    const { trees } = localOptions({ backend: toldModel({}), projectRoot: workspace.root, store }).workspace
    const patch = await trees?.patch(child?.tree?.id ?? '', child?.finished?.tree?.id ?? '', { paths: ['shared.txt'] })
    expect(patch).toContain('+by the second')
  })

  test('is refused with words where agents are deep enough, and where a turn has begun enough of them', async () => {
    const told = {
      'Go down': { steps: [[change('deeper')], [change('one more')]], last: 'Up again.' },
      deeper: { steps: [[change('deepest')]], last: 'I did it myself.' },
    }
    await using agent = agentWith(told, { agents: { limits: { depth: 1, number: 1 } } })
    await agent.run('Go down', { mode: 'execute' })
    const [child, ...others] = await childrenOf()
    expect(others).toEqual([])
    expect((await resultsOf(child?.id))[0]).toMatchObject({
      outcome: 'failed',
      text: 'Agents go 1 deep here, and this one is that deep already. Do this part yourself.',
    })
    expect((await resultsOf())[1]).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('has begun 1 agents'),
    })
  })

  test('begins no more agents at once than the turn may, and gives them no more answers than it has left', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `part ${index}`)
    const parts = Object.fromEntries(names.map((name) => [name, { steps: [], last: 'Seen.' }]))
    const told = { 'Look at all': { steps: [names.map((name) => look(name))], last: 'Done.' }, ...parts }
    const begun = async (more: Parameters<typeof agentWith>[1]) => {
      store = new MemoryStore()
      await using agent = agentWith(told, more)
      await agent.run('Look at all', { mode: 'execute' })
      return childrenOf()
    }
    expect(await begun({ agents: { limits: { depth: 1, number: 3 } } })).toHaveLength(3)
    const answers = (await begun({ config: { limits: { maxIterations: 5 } } })).map(({ grant }) => grant.turns)
    expect(answers).toEqual([1, 1, 1])
  })

  test('takes what an agent may use out of what its parent has, and counts what it used once', async () => {
    const told = {
      'Spend some': { steps: [[look('look one'), look('look two')]], last: 'Spent.' },
      'look one': { steps: [[call('read', { file_path: 'a.txt' })]], last: 'One.' },
      'look two': { steps: [], last: 'Two.' },
    }
    await using agent = agentWith(told, {
      config: { limits: { maxIterations: 13, maxTurnTokens: 9_000_000 }, budget: { usd: 3, unknownPrices: 'allow' } },
    })
    await agent.run('Spend some', { mode: 'execute' })
    const { state } = await readSession(store, 'parent')
    const grants = state.children?.map(({ grant }) => grant) ?? []
    expect(grants.map(({ turns, usd }) => [turns, usd])).toEqual([
      [4, 1],
      [4, 1],
    ])
    let tokens = 0
    for (const { id } of state.children ?? []) {
      const child = (await readSession(store, id)).state
      tokens += child.usage.inputTokens
      expect(child.policy).toMatchObject({ limits: { maxIterations: 4 }, budget: { usd: 1 } })
    }
    expect(tokens).toBeGreaterThan(0)
    expect(state.childUsage?.inputTokens).toBe(tokens)
    expect(usageWithChildren(state).inputTokens).toBe(state.usage.inputTokens + tokens)
    expect(state.lastTurn?.childUsage?.iterations).toBe(3)
  })

  test('asks the user about calls of an agent, and records the answer with the agent', async () => {
    const questions: string[] = []
    const approver: Approver = {
      async decide({ reason }) {
        questions.push(reason)
        return { permit: questions.length === 1 ? 'allow' : 'deny', scope: 'once' }
      },
    }
    const told = {
      'Let it': { steps: [[change('write it')]], last: 'Done.' },
      'write it': { steps: [[write('asked.txt', 'yes\n')]], last: 'Written.' },
    }
    await using agent = agentWith(told, { config: { permissionMode: 'prompt' } })
    await agent.run('Let it', { mode: 'execute', approver })
    expect(questions).toEqual([
      'the mode prompt asks: it changes files in the workspace',
      expect.stringMatching(/^for the agent "write it": /),
    ])
    const [child] = await childrenOf()
    expect((await eventsOf(child?.id)).find(({ type }) => type === 'question.answered')).toMatchObject({
      permit: 'deny',
    })
    expect((await eventsOf()).filter(({ type }) => type === 'question.asked').length).toBe(1)
  })

  test('stops agents with the turn that began them, and takes nothing over of what they had not finished', async () => {
    let begun = () => {}
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const told = {
      'Begin it': { steps: [[change('never ends')]], last: 'Done.' },
      'never ends': {
        steps: [[write('half.txt', 'half\n')], [call('bash', { command: 'sleep 600' })]],
        last: 'Never.',
      },
    }
    await using agent = agentWith(told, { config: { permissionMode: 'allow' } })
    const run = agent.run('Begin it', {
      mode: 'execute',
      onEvent: (event) => {
        if (event.type === 'delta.output' && event.text.includes('bash')) begun()
      },
    })
    await isBegun
    agent.cancel('enough')
    expect(await run).toMatchObject({ reason: 'interrupted' })
    const [child] = await childrenOf()
    expect(child?.finished).toMatchObject({ outcome: 'interrupted' })
    expect((await readSession(store, child?.id ?? '')).state).toMatchObject({
      turn: null,
      lastTurn: { reason: 'interrupted' },
    })
    expect(readdirSync(workspace.root)).not.toContain('half.txt')
    expect((await resultsOf())[0]?.text).toContain(`loader diff ${child?.id}`)
  })

  test('says with the result of an agent that its session was given another task since', async () => {
    await using agent = agentWith({ first: { steps: [], last: 'One.' }, second: { steps: [], last: 'Two.' } })
    const result = () => {
      const { state } = agent.session
      const finished = { seq: 2, outcome: 'ok', usage: noTotals } as const
      const given = { id: 'child', callId: 'call_1', title: 'first', depth: 1, place: 'look', seq: 1 } as const
      return childResult(
        { ...given, grant: { mode: 'read-only', within: 'look', turns: 1, tools: [] }, finished },
        state,
        [],
      ).text
    }
    await agent.run('first', { mode: 'execute' })
    expect(result()).not.toContain('another task')
    await agent.run('second', { mode: 'execute' })
    expect(result()).toContain('another task')
  })

  test('gives an agent no more than its kind and its parent have', async () => {
    const kinds = new Map([
      ['reader', { name: 'reader', description: 'reads', prompt: 'You only read.', reach: 'look' as const }],
      [
        'narrow',
        { name: 'narrow', description: 'writes', prompt: '', tools: ['read', 'write', 'bash'], reach: 'work' as const },
      ],
    ])
    const asKind = (agent: string, description: string) =>
      call('agent', { description, prompt: description, agent, changes: true })
    const told = {
      'Kinds of them': {
        steps: [[asKind('reader', 'only reading'), asKind('narrow', 'only work'), asKind('nobody', 'x')]],
        last: 'Done.',
      },
      'only reading': { steps: [[write('no.txt', 'no\n')]], last: 'Refused.' },
      'only work': {
        steps: [[call('edit', { file_path: 'a.txt', old_string: 'a', new_string: 'A' }), write('../away.txt', 'x')]],
        last: 'Refused too.',
      },
    }
    await using agent = agentWith(told, { agents: { kinds }, config: { permissionMode: 'allow' } })
    await agent.run('Kinds of them', { mode: 'execute' })
    const children = await childrenOf()
    const [reader, narrow] = ['reader', 'narrow'].map((name) => children.find((child) => child.agent === name))
    expect(reader).toMatchObject({ place: 'look', grant: { mode: 'read-only', within: 'look' } })
    expect(narrow?.grant).toMatchObject({ mode: 'workspace-write', within: 'work', tools: ['read', 'write', 'bash'] })
    expect((await resultsOf(reader?.id)).map(({ outcome }) => outcome)).toEqual(['failed'])
    expect((await resultsOf(narrow?.id)).map(({ outcome, text }) => [outcome, text])).toEqual([
      ['failed', 'There is no tool called edit here. There are: read, write, bash.'],
      ['denied', expect.stringContaining('this agent may reach work at most')],
    ])
    const prompts = (await eventsOf(reader?.id)).filter(({ type }) => type === 'prompt.rendered')
    expect(JSON.stringify(prompts)).toContain('You only read.')
    expect((await resultsOf())[2]?.text).toContain('There are: reader, narrow.')
  })

  test('replays from what was recorded, without beginning an agent', async () => {
    const told = {
      Again: { steps: [[change('write again'), look('look again')]], last: 'Done.' },
      'write again': { steps: [[write('again.txt', 'x\n')]], last: 'Written.' },
      'look again': { steps: [], last: 'Seen.' },
    }
    await using agent = agentWith(told)
    await agent.run('Again', { mode: 'execute' })
    const { history } = await readSession(store, 'parent')
    const ports = localOptions({
      backend: toldModel({}),
      projectRoot: workspace.root,
      store,
      offered: offerTools({ agents: {} }),
    })
    expect(await replaySession(history, { tools: 'stub', agent: ports })).toMatchObject({
      kind: 'decided',
      divergence: null,
    })
  })
})
