import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { type EventInput, type Owner, Session, type SessionRow } from '@loader/session-core'
import { fixedEnvironment, temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FileSessionStore } from '../src/index.ts'

// Counterparts of the tests that the project grew from; docs/seeds.md says which is which.

let workspace: TemporaryWorkspace

beforeEach(async () => {
  workspace = await temporaryWorkspace()
})
afterEach(() => workspace.dispose())

const environment = fixedEnvironment()
const open = (store: FileSessionStore, id: string, owner?: Owner) =>
  Session.open(store, { environment, id, ...(owner && { owner }) })

async function reload(id: string): Promise<Session> {
  return Session.load(new FileSessionStore({ root: workspace.root }), id, { environment })
}

const pathOf = (name: string) => workspace.path('.loader', 'sessions', name)
const readJson = async (name: string): Promise<unknown> => JSON.parse(await readFile(pathOf(name), 'utf8'))

/** The rows as a reader of the files finds them. */
async function rows(): Promise<readonly SessionRow[]> {
  return (await new FileSessionStore({ root: workspace.root }).list()).rows
}

const said = (name: string, text: string): EventInput[] => [
  { type: 'input.queued', inputId: `in_${name}`, text },
  { type: 'turn.started', turnId: `turn_${name}`, inputId: `in_${name}` },
  { type: 'turn.finished', turnId: `turn_${name}`, reason: 'turn_complete' },
]

describe('session state', () => {
  test('session rotation kicks in at size cap', async () => {
    const store = new FileSessionStore({ root: workspace.root }, { rotateAfterBytes: 250 })
    const session = await open(store, 'rotating')
    for (let index = 0; index < 6; index += 1) {
      await session.append(said(String(index), `Message ${index}: ${'x'.repeat(120)}`))
    }
    await session.close()
    expect(existsSync(pathOf('rotating.json'))).toBe(true)
    expect(existsSync(pathOf('rotating.1.json'))).toBe(true)
    expect((await reload('rotating')).state.messages).toHaveLength(6)
  })

  test('session persists permission policy metadata, workflow reasons and the last transition', async () => {
    const store = new FileSessionStore({ root: workspace.root })
    const session = await open(store, 'policy')
    const rulesSource = workspace.path('.loader', 'permission-rules.json')
    await session.append([
      {
        type: 'policy.applied',
        permission: {
          mode: 'prompt',
          promptingEnabled: true,
          ruleCounts: { allow: 1, deny: 2, ask: 3 },
          rules: [],
          rulesSource,
        },
        limits: {},
        audience: 'user',
      },
      {
        type: 'policy.applied',
        permission: {
          mode: 'allow',
          promptingEnabled: true,
          ruleCounts: { allow: 2, deny: 1, ask: 4 },
          rules: [],
          rulesSource,
        },
        limits: {},
        audience: 'user',
      },
      { type: 'session.claimed', epoch: 2, owner: { type: 'RuntimeHandle', path: 'runtime-handle' } },
      { type: 'input.queued', inputId: 'in', text: 'Inspect permission history' },
      { type: 'turn.started', turnId: 'turn', inputId: 'in' },
      {
        type: 'workflow.decided',
        entry: {
          id: 'route',
          kind: 'route',
          mode: 'plan',
          reasonCode: 'task_is_complex',
          summary: 'plan: workflow pressure favors a persisted plan before execution',
          decisionKind: 'initial_route',
          ambiguityScore: 0.2,
          complexityScore: 0.6,
          routeScore: 0.72,
          runnerUpMode: 'clarify',
          runnerUpScore: 0.61,
          scheduledNextMode: 'execute',
          unresolvedQuestions: ['Scope is still broad.'],
          promptFormat: 'native',
          promptSections: ['Runtime Config', 'Workflow Context', 'Project Context'],
        },
      },
      { type: 'prompt.rendered', format: 'native', sections: [{ name: 'Runtime Config', digest: 'd' }], text: 'x' },
      { type: 'model.asked', requestId: 'req', purpose: 'answer', attempt: 1 },
      { type: 'model.answered', requestId: 'req', content: [{ type: 'text', text: 'Done.' }], finishReason: 'stop' },
      {
        type: 'workflow.decided',
        entry: {
          id: 'completion',
          kind: 'completion_continue',
          mode: 'execute',
          reasonCode: 'verification_failed_reentry',
          summary: 'completion: continued after verification failed and the runtime re-entered execute mode',
          policyStage: 'definition_of_done',
          policyOutcome: 'continue',
          evidenceSummary: ['verification contradiction: pytest still failed'],
        },
      },
      { type: 'turn.finished', turnId: 'turn', reason: 'turn_complete', summary: 'Finalizing completed turn' },
    ])
    await session.close()

    const { state } = await reload('policy')
    expect(state.policy?.permission).toEqual({
      mode: 'allow',
      promptingEnabled: true,
      ruleCounts: { allow: 2, deny: 1, ask: 4 },
      rules: [],
      rulesSource,
    })
    expect(state.task).toBe('Inspect permission history')
    expect(state.prompts.at(-1)).toMatchObject({ format: 'native', sections: [{ name: 'Runtime Config' }] })
    expect(state.route).toMatchObject({
      reasonCode: 'task_is_complex',
      decisionKind: 'initial_route',
      ambiguityScore: 0.2,
      complexityScore: 0.6,
      scheduledNextMode: 'execute',
    })
    expect(state.completion).toMatchObject({
      reasonCode: 'verification_failed_reentry',
      evidenceSummary: ['verification contradiction: pytest still failed'],
    })
    expect(state.lastTransition).toMatchObject({
      summary: 'completion -> finalize [terminal] Finalizing completed turn',
      kind: 'terminal',
      reasonCode: 'turn_complete',
    })
    expect(state.timeline).toHaveLength(2)
    expect(state.timeline.at(0)).toMatchObject({
      mode: 'plan',
      routeScore: 0.72,
      unresolvedQuestions: ['Scope is still broad.'],
    })
  })

  test('resuming a session updates runtime owner metadata', async () => {
    const first = await open(new FileSessionStore({ root: workspace.root }), 'owned', {
      type: 'Agent',
      path: 'public-agent',
    })
    await first.close()
    const owner = { type: 'RuntimeHandle', path: 'runtime-handle' }
    const second = await Session.load(new FileSessionStore({ root: workspace.root }), 'owned', { environment, owner })
    await second.close()
    expect(await readJson('owned.json')).toMatchObject({ owner })
  })

  test('a completion trace is never in the file: the timeline is canonical', async () => {
    const session = await open(new FileSessionStore({ root: workspace.root }), 'trace')
    const entry = (id: string, kind: 'completion_check' | 'completion_finalize', reasonCode: string) =>
      ({
        type: 'workflow.decided',
        entry: {
          id,
          kind,
          mode: 'execute',
          reasonCode,
          summary: 'completion: because',
          policyStage: 'continuation_check',
        },
      }) as const
    await session.append([
      entry('one', 'completion_check', 'premature_completion_nudge'),
      entry('two', 'completion_finalize', 'continuation_budget_exhausted'),
    ])
    await session.close()
    expect(await readFile(pathOf('trace.json'), 'utf8')).not.toMatch(/completion_?trace/i)
    const { state } = await reload('trace')
    expect(state.timeline.map(({ reasonCode }) => reasonCode)).toEqual([
      'premature_completion_nudge',
      'continuation_budget_exhausted',
    ])
    expect(state.completion?.reasonCode).toBe('continuation_budget_exhausted')
  })

  test('session persists workflow ledger state', async () => {
    const session = await open(new FileSessionStore({ root: workspace.root }), 'ledger')
    const ledger = {
      assumptions: [
        {
          text: 'notes.txt stays out of scope unless clarified otherwise.',
          status: 'contradicted',
          introducedPhase: 'clarify',
          updatedPhase: 'recovery',
          evidence: ['Clarify scope assumed `notes.txt` stayed out of scope.'],
        },
      ],
      acceptanceAnchors: [
        {
          text: 'notes.txt exists in the workspace root.',
          status: 'changed',
          introducedPhase: 'clarify',
          updatedPhase: 'recovery',
        },
      ],
      decisionBoundaries: [
        { text: 'Escalate before broad UX changes.', status: 'tracked', introducedPhase: 'clarify' },
      ],
    } as const
    await session.append({ type: 'ledger.updated', ledger })
    await session.close()
    expect((await reload('ledger')).state.ledger).toEqual(ledger)
    expect(await readJson('ledger.json')).toMatchObject({ ledger })
  })

  test('session persists prompt history', async () => {
    const session = await open(new FileSessionStore({ root: workspace.root }), 'prompts')
    const rendered = (mode: 'plan' | 'execute', text: string): EventInput[] => [
      { type: 'workflow.decided', entry: { id: mode, kind: 'route', mode, reasonCode: 'r', summary: 's' } },
      { type: 'prompt.rendered', format: 'native', sections: [{ name: 'Mode Guidance', digest: mode }], text },
    ]
    await session.append([
      ...rendered('plan', 'plan around planned.txt'),
      ...rendered('execute', 'execute around notes.txt'),
    ])
    await session.close()
    const { prompts } = (await reload('prompts')).state
    expect(prompts.map(({ workflowMode }) => workflowMode)).toEqual(['plan', 'execute'])
    expect(prompts.at(-1)?.text).toContain('notes.txt')
  })
})

describe('saving with and without the index', () => {
  test('save writes the JSON file', async () => {
    const session = await open(new FileSessionStore({ root: workspace.root }), 's1')
    await session.append(said('one', 'hello'))
    await session.save()
    expect(await readJson('s1.json')).toMatchObject({ id: 's1', messages: [{ content: [{ text: 'hello' }] }] })
  })

  test('save without the index writes the JSON file as well', async () => {
    const session = await open(new FileSessionStore({ root: workspace.root }), 's2')
    await session.append(said('one', 'hello'))
    await session.save({ index: false })
    expect(await readJson('s2.json')).toMatchObject({ id: 's2', messages: [{ content: [{ text: 'hello' }] }] })
  })

  test('save without the index leaves the row as it was', async () => {
    const session = await open(new FileSessionStore({ root: workspace.root }), 's3')
    await session.append(said('one', 'hello'))
    await session.save({ index: false })
    expect(await rows()).toMatchObject([{ id: 's3', messages: 0 }])
  })

  test('save with the index creates and updates the row, also after one without', async () => {
    const session = await open(new FileSessionStore({ root: workspace.root }), 's5')
    await session.append(said('one', 'hi there'))
    await session.save({ index: false })
    await session.append(said('two', 'thanks'))
    await session.save()
    expect(existsSync(pathOf('_index.json'))).toBe(true)
    expect(await rows()).toMatchObject([{ id: 's5', messages: 2, turns: 2 }])
    expect(await readJson('s5.json')).toMatchObject({ messages: { length: 2 } })
  })

  test('an index that is gone is repaired by the next save, and no session is missing meanwhile', async () => {
    const store = new FileSessionStore({ root: workspace.root })
    for (const id of ['a', 'b']) await (await open(store, id)).close()
    for (const name of ['_index.json', '_index.journal.jsonl']) await rm(pathOf(name), { force: true })
    expect((await rows()).map(({ id }) => id).sort()).toEqual(['a', 'b'])
    expect(existsSync(pathOf('_index.json'))).toBe(false)
    await (await reload('a')).close()
    expect(existsSync(pathOf('_index.json'))).toBe(true)
    expect((await rows()).map(({ id }) => id).sort()).toEqual(['a', 'b'])
  })

  test('saving preserves updatedAt, and every event moves it', async () => {
    const session = await open(new FileSessionStore({ root: workspace.root }), 'touch1')
    const { updatedAt } = session.state
    await session.save({ index: false })
    expect(await readJson('touch1.json')).toMatchObject({ updatedAt })
    await session.append({ type: 'session.titled', title: 'Later', by: 'user' })
    await session.save({ index: false })
    const { updatedAt: later } = (await readJson('touch1.json')) as { updatedAt: string }
    expect(later > updatedAt).toBe(true)
  })

  test('a pending message survives a restart, outside the messages', async () => {
    const session = await open(new FileSessionStore({ root: workspace.root }), 'survive1')
    await session.append(said('one', 'first turn'))
    await session.append([
      { type: 'input.queued', inputId: 'in_two', text: 'do a long research task' },
      { type: 'turn.started', turnId: 'turn_two', inputId: 'in_two' },
    ])
    await session.save({ index: false })
    // The process ends here, without closing anything; the next one takes over.
    const store = new FileSessionStore({ root: workspace.root })
    const { state } = await Session.load(store, 'survive1', { environment, takeover: true })
    expect(state.turn).toMatchObject({
      id: 'turn_two',
      pending: { inputId: 'in_two', text: 'do a long research task' },
    })
    expect(state.messages).toHaveLength(1)
    expect(await readJson('survive1.json')).toMatchObject({ pendingInput: { text: 'do a long research task' } })
  })
})
