import { expect, test } from 'vitest'
import { type EventInput, ownerOf, promptHistory } from '@loader/session-core'
import type { CompletionTraceEntry } from '@loader/session-core/coding'
import { handoffEntry, routeEntry } from '../../src/timeline/route-entry.ts'
import { completionEntry } from '../../src/timeline/completion-entry.ts'
import { completionTrace, completionTraceOf } from '../../src/timeline/completion-trace.ts'
import { answered, begun, decided, historyOf, stateOf } from './recorded.ts'

const stale: CompletionTraceEntry = {
  stage: 'definition_of_done',
  outcome: 'complete',
  decisionCode: 'stale_completion_trace',
  decisionSummary: 'this legacy trace entry should be ignored',
}
const needed = ['showing the requested work was actually carried out']
const exhausted =
  'stopped because the continuation budget was exhausted while follow-through evidence was still missing'

test('session prefers canonical workflow timeline for completion trace', () => {
  const opened: EventInput = { type: 'session.opened', format: 1, id: 'ses', legacyTrace: [stale] }
  expect(completionTraceOf(stateOf(opened))).toEqual([stale])

  const state = stateOf(
    opened,
    ...begun('Explain why the turn stopped'),
    ...answered('Because.'),
    decided({
      kind: 'completion_check',
      mode: 'execute',
      reasonCode: 'premature_completion_nudge',
      summary: 'completion: requested one continuation because the non-mutating response looked incomplete',
      decisionKind: 'forced',
      policyStage: 'continuation_check',
      policyOutcome: 'continue',
      evidenceSummary: needed,
    }),
    decided(
      completionEntry({
        mode: 'execute',
        stage: 'continuation_check',
        outcome: 'finalize',
        code: 'continuation_budget_exhausted',
        summary: exhausted,
        evidenceSummary: needed,
      }),
    ),
  )
  const trace = completionTraceOf(state)
  expect(trace.map(({ decisionCode }) => decisionCode)).toEqual([
    'premature_completion_nudge',
    'continuation_budget_exhausted',
  ])
  expect(trace[0]?.outcome).toBe('continue')
  expect(trace.at(-1)).toMatchObject({
    stage: 'continuation_check',
    outcome: 'finalize',
    decisionSummary: exhausted,
    evidenceSummary: needed,
  })
})

test('session projects live completion trace from workflow timeline', () => {
  const provenance = {
    category: 'verification',
    source: 'dod.verification_commands',
    summary: 'verification evidence was still missing for `pytest -q`',
    status: 'missing',
    subject: 'pytest -q',
  } as const
  const accepted = completionEntry({
    mode: 'execute',
    stage: 'continuation_check',
    outcome: 'accept',
    code: 'completion_response_accepted',
    summary: 'accepted the response because follow-through evidence was present',
  })
  const finalized = completionEntry({
    mode: 'execute',
    stage: 'continuation_check',
    outcome: 'finalize',
    code: 'continuation_budget_exhausted',
    summary: 'stopped because verification evidence was still missing',
    evidenceSummary: ['a passing verification result from `pytest -q`'],
    evidenceProvenance: [provenance],
  })
  const state = stateOf(...begun('Run it'), ...answered('Ran it.'), decided(accepted), decided(finalized))
  const trace = completionTraceOf(state)
  expect(trace).toEqual(completionTrace(state.timeline, 'continuation_budget_exhausted'))
  expect(trace.map(({ decisionCode }) => decisionCode)).toEqual([
    'completion_response_accepted',
    'continuation_budget_exhausted',
  ])
  expect(trace.at(-1)).toMatchObject({
    stage: 'continuation_check',
    outcome: 'finalize',
    evidenceSummary: ['a passing verification result from `pytest -q`'],
    evidenceProvenance: [{ summary: 'verification evidence was still missing for `pytest -q`' }],
  })
})

test('session persists permission policy metadata: reasons, scores and trace are read off the timeline', () => {
  const sections = ['Runtime Config', 'Workflow Context', 'Project Context']
  const state = stateOf(
    { type: 'session.claimed', epoch: 1, owner: ownerOf('RuntimeHandle') },
    {
      type: 'policy.applied',
      permission: {
        mode: 'allow',
        promptingEnabled: true,
        ruleCounts: { allow: 2, deny: 1, ask: 4 },
        rules: [],
        rulesSource: '.loader/permission-rules.json',
      },
      limits: {},
      audience: 'user',
    },
    ...begun('Inspect permission history'),
    decided(
      routeEntry({
        mode: 'plan',
        code: 'task_is_complex',
        summary: 'workflow pressure favors a persisted plan before execution',
        decisionKind: 'initial_route',
        ambiguityScore: 0.2,
        complexityScore: 0.6,
        routeScore: 0.72,
        runnerUpMode: 'clarify',
        runnerUpScore: 0.61,
        scheduledNextMode: 'execute',
        unresolvedQuestions: ['Scope is still broad.'],
        promptFormat: 'native',
        promptSections: sections,
      }),
    ),
  )
  expect(state.policy?.permission).toMatchObject({ mode: 'allow', ruleCounts: { allow: 2, deny: 1, ask: 4 } })
  expect(state.owner).toMatchObject({ type: 'RuntimeHandle', path: 'runtime-handle' })
  expect(state.mode).toBe('plan')
  expect(state.timeline).toHaveLength(1)
  expect(state.route).toMatchObject({
    kind: 'route',
    mode: 'plan',
    reasonCode: 'task_is_complex',
    decisionKind: 'initial_route',
    ambiguityScore: 0.2,
    complexityScore: 0.6,
    routeScore: 0.72,
    runnerUpMode: 'clarify',
    scheduledNextMode: 'execute',
    unresolvedQuestions: ['Scope is still broad.'],
    promptFormat: 'native',
    promptSections: sections,
  })

  const legacy: CompletionTraceEntry = {
    stage: 'definition_of_done',
    outcome: 'continue',
    decisionCode: 'verification_failed_reentry',
    decisionSummary: 'continued after verification failed and the runtime re-entered execute mode',
    evidenceSummary: ['verification contradiction: pytest still failed'],
  }
  // A trace without judgements on the timeline comes from an older system, and stands as it was stored.
  expect(completionTrace(state.timeline, 'verification_failed_reentry', [legacy])).toEqual([legacy])
})

test('session persists prompt history state: the mode of each prompt follows the timeline', () => {
  const task = 'Tighten Loader workflow behavior'
  const prompt = (text: string, sections: readonly string[]) => ({
    type: 'prompt.rendered' as const,
    format: 'native' as const,
    sections: sections.map((name) => ({ name, digest: text })),
    text,
  })
  const history = historyOf(
    ...begun(task),
    decided(routeEntry({ mode: 'plan', code: 'task_is_complex', summary: 'plan', decisionKind: 'initial_route' })),
    prompt('# Introduction\nplan around planned.txt\n', ['Runtime Config', 'Workflow Context']),
    decided(handoffEntry({ mode: 'execute', code: 'plan_artifacts_created', summary: 'planned' })),
    prompt('# Introduction\nexecute around notes.txt\n', ['Runtime Config', 'Workflow Context', 'Project Context']),
  )
  const prompts = promptHistory(history)
  expect(prompts.map(({ workflowMode }) => workflowMode)).toEqual(['plan', 'execute'])
  expect(prompts.map(({ task: wanted }) => wanted)).toEqual([task, task])
  expect(prompts.at(-1)?.text).toContain('notes.txt')
})
