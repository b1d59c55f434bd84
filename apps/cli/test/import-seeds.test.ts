import { promptHistory, readSession, shownText, textOf } from '@loader/session-core'
import { storeIn } from './written/store-in.ts'
import { messageFaults, temporaryWorkspace } from '@loader/test-harness'
import { completionTraceOf, timelineOf } from '@loader/workflow'
import { describe, expect, test } from 'vitest'
import { ImportOutput } from '../src/schemas/import.ts'
import { loader } from './written/fake-console.ts'
import { imported, saidIn, sourceOf } from './written/foreign.ts'

/** A snapshot as the older Loader writes it, in its own words. */
const snapshot = {
  version: 11,
  session_id: '20260407T120000Z-1a2b3c4d',
  created_at: '2026-04-07T12:00:00Z',
  updated_at: '2026-04-07T14:03:00Z',
  messages: [
    { role: 'user', content: 'Create hello.txt in the workspace root.', tool_calls: [], tool_results: [] },
    { role: 'user', content: '[WORKFLOW BRIDGE] Follow the plan.', tool_calls: [], tool_results: [] },
    {
      role: 'assistant',
      content: "I'll create the file.",
      tool_calls: [{ id: 'write-1', name: 'write', arguments: { file_path: '/w/hello.txt', content: 'hello\n' } }],
      tool_results: [],
    },
    {
      role: 'tool',
      content: 'Wrote it.',
      tool_results: [{ tool_call_id: 'write-1', content: 'Wrote it.', is_error: false }],
    },
    { role: 'user', content: '[USER INTERRUPTION]: Use two lines.' },
    { role: 'assistant', content: 'The file is written.' },
  ],
  usage: { prompt_tokens: 22, output_tokens: 9, turns: 1 },
  current_task: 'Create hello.txt in the workspace root.',
  runtime_owner_type: 'RuntimeHandle',
  workflow_mode: 'plan',
  permission_mode: 'allow',
  permission_rule_counts: { allow: 2, deny: 1, ask: 4 },
  prompt_history: [
    {
      timestamp: '2026-04-07T14:00:00Z',
      workflow_mode: 'plan',
      prompt_format: 'native',
      prompt_sections: ['Runtime Config', ''],
      content: '# Introduction\nplan around planned.txt\n',
    },
    {
      timestamp: '2026-04-07T14:02:00Z',
      workflow_mode: 'execute',
      prompt_format: 'react',
      prompt_sections: ['Runtime Config'],
      content: '# Introduction\nexecute around notes.txt\n',
    },
  ],
  workflow_timeline: [
    {
      timestamp: '2026-04-07T12:00:00Z',
      kind: 'route',
      mode: 'plan',
      reason_code: 'task_is_complex',
      summary: 'plan: workflow pressure favors a persisted plan before execution',
      decision_kind: 'initial_route',
      route_score: 0.72,
      runner_up_mode: 'clarify',
      runner_up_score: 0.61,
      scheduled_next_mode: 'execute',
      unresolved_questions: ['Scope is still broad.'],
    },
    {
      timestamp: '2026-04-09T12:00:00Z',
      kind: 'completion_check',
      mode: 'plan',
      reason_code: 'premature_completion_nudge',
      summary: 'completion: requested one continuation',
      policy_stage: 'continuation_check',
      policy_outcome: 'continue',
    },
    {
      timestamp: '2026-04-09T12:01:00Z',
      kind: 'completion_finalize',
      mode: 'plan',
      reason_code: 'continuation_budget_exhausted',
      summary: 'completion: stopped because the continuation budget was exhausted',
      policy_stage: 'continuation_check',
      policy_outcome: 'finalize',
      evidence_provenance: [
        {
          category: 'verification',
          source: 'dod',
          summary: 'nothing was shown for `pytest -q`',
          status: 'missing',
          subject: 'pytest -q',
        },
      ],
      verification_observations: [
        { status: 'failed', summary: '`pytest -q` failed', command: 'pytest -q', exit_code: 1 },
      ],
    },
  ],
  completion_trace: [
    {
      stage: 'definition_of_done',
      outcome: 'complete',
      decision_code: 'stale_completion_trace',
      decision_summary: 'to be ignored',
    },
  ],
  workflow_ledger: {
    assumptions: [
      {
        text: 'notes.txt stays out of scope.',
        status: 'contradicted',
        introduced_phase: 'clarify',
        updated_phase: 'recovery',
        evidence: ['It was written.'],
      },
    ],
    acceptance_anchors: [{ text: 'notes.txt exists.', status: 'changed', introduced_phase: 'clarify' }],
    decision_boundaries: [{ text: 'Escalate before broad changes.', status: 'tracked', introduced_phase: 'clarify' }],
  },
}

describe('a snapshot of the older Loader', () => {
  const session = imported('session-state', sourceOf(JSON.stringify(snapshot, null, 2)))

  test('has its conversation, with what the runtime said told apart from what the user said', () => {
    expect(saidIn(session)).toEqual([
      'user: Create hello.txt in the workspace root.\n\n[WORKFLOW BRIDGE] Follow the plan.',
      "model: I'll create the file.",
      'call: write ok',
      'steering: Use two lines.',
      'model: The file is written.',
    ])
    expect(messageFaults(session.state.messages, 'anthropic')).toEqual([])
    expect(shownText(session.state.task ?? '')).toBe('Create hello.txt in the workspace root.')
    expect(session.state.usage).toMatchObject({ inputTokens: 22, outputTokens: 9, turns: 1 })
  })

  test('has its timeline, ledger and prompts', () => {
    const timeline = timelineOf(session.events)
    expect(timeline.map(({ reasonCode }) => reasonCode)).toEqual([
      'task_is_complex',
      'premature_completion_nudge',
      'continuation_budget_exhausted',
    ])
    expect(timeline[0]).toMatchObject({
      at: '2026-04-07T12:00:00.000Z',
      routeScore: 0.72,
      runnerUpMode: 'clarify',
      unresolvedQuestions: ['Scope is still broad.'],
    })
    expect(session.state.mode).toBe('plan')
    expect(session.state.ledger.assumptions).toEqual([
      {
        text: 'notes.txt stays out of scope.',
        status: 'contradicted',
        introducedPhase: 'clarify',
        updatedPhase: 'recovery',
        evidence: ['It was written.'],
      },
    ])
    expect(session.state.ledger.acceptanceAnchors[0]?.status).toBe('changed')
    expect(promptHistory(session.events).map(({ text, format }) => [shownText(text ?? '').slice(15), format])).toEqual([
      ['plan around planned.txt\n', 'native'],
      ['execute around notes.txt\n', 'react'],
    ])
  })

  test('has the completion trace of its timeline, and not the stale one beside it', () => {
    expect(completionTraceOf(session.state).map(({ decisionCode }) => decisionCode)).toEqual([
      'premature_completion_nudge',
      'continuation_budget_exhausted',
    ])
    expect(completionTraceOf(session.state).at(-1)?.verificationObservations).toEqual([
      { status: 'failed', summary: '`pytest -q` failed', command: 'pytest -q', exitCode: 1 },
    ])
    const { workflow_timeline: _timeline, ...old } = snapshot
    const without = imported('session-state', sourceOf(JSON.stringify(old)))
    expect(completionTraceOf(without.state).map(({ decisionCode }) => decisionCode)).toEqual(['stale_completion_trace'])
  })

  test('does not bring its permissions along', () => {
    expect(session.state.policy).toBeNull()
    expect(session.losses).toContain('Permission mode and rules, and the definition of done, are not taken over.')
  })

  test('that was compacted begins with its summary', () => {
    const messages = [
      { role: 'user', content: '[COMPACTED CONTEXT]\nConversation summary:\n- Scope: sessions' },
      { role: 'user', content: 'Preserve the latest four messages' },
      { role: 'assistant', content: 'Ready to compact' },
    ]
    const compacted = imported('session-state', sourceOf(JSON.stringify({ ...snapshot, messages })))
    expect(compacted.state.messages.at(0)).toMatchObject({ origin: 'summary' })
    expect(saidIn(compacted).slice(1)).toEqual(['user: Preserve the latest four messages', 'model: Ready to compact'])
  })

  test('that was in the middle of a turn has an interrupted one', () => {
    const cut = imported('session-state', sourceOf(JSON.stringify({ ...snapshot, active_turn_phase: 'tools' })))
    expect(cut.state.lastTurn?.reason).toBe('interrupted')
  })

  test('with anything of it missing or of another kind is read with defaults', () => {
    for (const key of Object.keys(snapshot)) {
      if (['session_id', 'created_at', 'updated_at', 'messages'].includes(key)) continue
      for (const value of [undefined, null, 7, 'x', [], {}]) {
        const text = JSON.stringify({ ...snapshot, [key]: value })
        expect(saidIn(imported('session-state', sourceOf(text)))).toHaveLength(5)
      }
    }
  })

  test('without what it must have is refused', () => {
    const { session_id: _id, ...rest } = snapshot
    expect(() => imported('session-state', sourceOf(JSON.stringify(rest)))).toThrow('it lacks session_id')
  })
})

/** A session as the streaming system keeps it. */
const streaming = {
  session_id: 'abc123def456',
  title: 'Colours',
  manual_title: true,
  workspace: '/w/now',
  created_workspace: '/w/then',
  model: 'some-model',
  created_at: 1_770_000_000.5,
  updated_at: 1_770_000_100.25,
  input_tokens: 500,
  output_tokens: 60,
  pending_user_message: 'And what about blue?',
  pending_started_at: 1_770_000_090,
  messages: [
    { role: 'user', content: 'List colours.', timestamp: 1_770_000_001 },
    {
      role: 'assistant',
      content: '',
      reasoning: 'Look it up.',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"colours.txt"}' } },
      ],
      timestamp: 1_770_000_002,
    },
    { role: 'tool', tool_call_id: 'c1', content: 'red\ngreen', timestamp: 1_770_000_003 },
    { role: 'assistant', content: [{ type: 'text', text: 'Red and green.' }], timestamp: 1_770_000_004 },
    { role: 'user', content: 'More.', timestamp: 1_770_000_005 },
    { role: 'assistant', content: 'Yel', _partial: true, timestamp: 1_770_000_006 },
    {
      role: 'assistant',
      content: '**Response interrupted.**',
      _error: true,
      type: 'interrupted',
      timestamp: 1_770_000_007,
    },
  ],
  context_messages: [{ role: 'user', content: 'List colours.' }],
}

describe('a session of the streaming system', () => {
  const session = imported('streaming', sourceOf(JSON.stringify(streaming)))

  test('has its conversation, and marks of an interruption as one', () => {
    expect(saidIn(session)).toEqual([
      'user: List colours.',
      'thought: Look it up.',
      'call: read_file ok',
      'model: Red and green.',
      'user: More.',
      'cut off: Yel',
    ])
    expect(session.state.lastTurn?.reason).toBe('interrupted')
    expect(session.state.title).toBe('Colours')
    expect(session.state.project?.root).toBe('/w/then')
    expect(session.events[0]?.at).toBe('2026-02-02T02:40:00.500Z')
  })

  test('has what was submitted and not yet merged as waiting, outside the messages', () => {
    expect(session.state.queue).toMatchObject([{ text: 'And what about blue?', at: '2026-02-02T02:41:30.000Z' }])
    expect(session.state.messages.map(({ content }) => textOf(content))).not.toContain('And what about blue?')
  })

  test('that has nothing but a pending message is worth importing', () => {
    const only = imported(
      'streaming',
      sourceOf(JSON.stringify({ session_id: 'x', messages: [], pending_user_message: 'Hello?' })),
    )
    expect(only.state.queue).toHaveLength(1)
  })

  test('is told by the command what it is, and goes on with what waits', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'old.json': JSON.stringify(streaming, null, 2) } })
    const { out } = await loader(['import', 'old.json', '--json'], { folder: workspace.root })
    const { id, source } = ImportOutput.parse(JSON.parse(out))
    expect(source).toMatchObject({ kind: 'streaming', id: 'abc123def456' })
    const { state } = await readSession(storeIn(workspace.root), id)
    expect(state.queue).toHaveLength(1)
  })
})
