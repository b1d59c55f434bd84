import { type OpenCall, type SessionState, shownText, type Turn } from '@loader/session-core'
import type { PermissionRule, Policy, QuestionText } from '@loader/session-core/coding'
import { decide, type HookMoment, type Move, type Recorded } from '../words/move.ts'
import { decidePermit, type HookPermit } from '../permission/decide-permit.ts'
import { type KnownTools, toolsOfPolicy } from '../permission/rules/known-tools.ts'
import { ruleFor } from '../permission/rule-for.ts'
import { policyOf } from '../permission/policy-of.ts'
import { repeatedCallMove } from './repeated-call.ts'
import { unseenBefore } from './unseen.ts'
import { stoppedByHook } from './stopped-by-hook.ts'

/**
 * The next step for the calls of the last answer, or undefined when all of them are answered.
 *
 * Calls run in order. A call is examined only when all calls before it are done, because they may change what it
 * depends on. Read-only calls are the exception: several are prepared and then run together.
 */
export function callsMove(state: SessionState, turn: Turn): Move | undefined {
  const ready: OpenCall[] = []
  for (const open of turn.calls) {
    if (open.outcome !== undefined) {
      const hook = hookAfter(state, turn, open)
      if (hook !== undefined) return hook
      continue
    }
    const step = stepOf(state, turn, open)
    if (step === 'ready' && mayShareItsRun(open)) {
      ready.push(open)
      if (ready.length === mostAtOnce) break
      continue
    }
    if (ready.length > 0 && (step === 'ready' || !mayJoin(open, step))) break
    return step === 'ready' ? runMove(state, turn, open) : step
  }
  return ready.length === 0 ? undefined : { type: 'run_calls', callIds: ready.map(({ call }) => call.id) }
}

/** The most calls that run together. */
const mostAtOnce = 8

/**
 * Whether a call may run together with those that are ready. A call that will be refused is answered when it is next.
 */
function mayJoin(open: OpenCall, step: Move): boolean {
  return step.type !== 'refuse_call' && (open.examined === undefined || mayShareItsRun(open))
}

function mayShareItsRun(open: OpenCall): boolean {
  const { examined } = open
  return examined?.question === undefined && (examined?.effect === 'none' || examined?.effect === 'probe')
}

/** What a call needs next; `ready` when it can run. */
function stepOf(state: SessionState, turn: Turn, open: OpenCall): Move | 'ready' {
  const { call, examined, permit, startedEpoch } = open
  const callId = call.id
  if (startedEpoch !== undefined) {
    return examined?.question ? answerToQuestion(turn, open, examined.question) : { type: 'settle_call', callId }
  }
  const stopped = stoppedByHook(turn)
  if (stopped !== undefined) {
    return { type: 'refuse_call', callId, outcome: 'interrupted', text: `Not run. ${stopped.summary}.` }
  }
  if (call.malformed !== undefined) {
    const text = `The arguments of ${call.name} are not JSON. Write them again as one JSON object: ${call.malformed.slice(0, 500)}`
    return { type: 'refuse_call', callId, outcome: 'failed', text }
  }
  const hook = hookFor(state, turn, 'pre_tool', callId)
  if (hook !== undefined) return hook
  if (examined === undefined) return { type: 'examine_call', callId }
  if (examined.invalid !== undefined) {
    return { type: 'refuse_call', callId, outcome: 'failed', text: examined.invalid }
  }
  if (permit === undefined) return repeatedCallMove(state, turn, open) ?? decide(permission(state, turn, open))
  switch (permit.permit) {
    case 'allow':
      return 'ready'
    case 'deny':
      return { type: 'refuse_call', callId, outcome: 'denied', text: `Not allowed: ${permit.reason ?? 'denied'}` }
    case 'ask':
      return permitByUser(turn, open, { ...permit, tools: toolsOfPolicy(state.policy) })
    default:
      return permit.permit satisfies never
  }
}

function runMove(state: SessionState, turn: Turn, open: OpenCall): Move {
  const { call, examined } = open
  if (examined?.question !== undefined) {
    return { type: 'ask_user', kind: 'question', question: examined.question, callId: call.id }
  }
  if (turn.lane === 'main' && state.workspace?.baseline?.turnId !== turn.id && turn.work.lastEffectSeq === null) {
    return {
      type: 'observe',
      look: { tree: 'baseline', beside: true },
      why: 'before the first change of the turn',
    }
  }
  return unseenBefore(state, turn) ?? { type: 'run_calls', callIds: [call.id] }
}

function permission(state: SessionState, turn: Turn, open: OpenCall): Recorded {
  const root = state.project?.root
  const hooks = turn.hooks.filter(({ callId, on }) => callId === open.call.id && on === 'pre_tool').map(asPermit)
  const policy = open.examined?.question === undefined ? policyOf(state) : unasked(policyOf(state))
  const decision = decidePermit(open, policy, hooks, root === undefined ? {} : { root })
  const { permit, by, rule, reason } = decision
  const reach = open.examined?.reach
  return { type: 'permission.decided', callId: open.call.id, permit, by, rule, reason, reach }
}

/** In the mode `prompt`, a call that asks the user a question must not need permission first. */
function unasked(policy: Policy): Policy {
  const { permission } = policy
  return permission.mode === 'prompt' ? { ...policy, permission: { ...permission, mode: 'read-only' } } : policy
}

/** A hook that decides `deny` counts as denying, even if it also gave a permit. */
function asPermit({ hook, decision, permit, message }: Turn['hooks'][number]): HookPermit {
  return { hook, permit: decision === 'deny' ? 'deny' : permit, message }
}

type Asked = NonNullable<OpenCall['permit']> & { readonly tools: KnownTools }

function permitByUser(turn: Turn, open: OpenCall, { tools, ...asked }: Asked): Move {
  const { call, examined } = open
  const { question } = turn
  const mine = question?.kind === 'permit' && question.callId === call.id ? question : null
  if (mine?.answer !== undefined) return decide(...answeredPermit(open, mine.answer, tools))
  const text = examined?.preview ?? examined?.command ?? `${call.name} ${JSON.stringify(call.input)}`
  return {
    type: 'ask_user',
    kind: 'permit',
    question: { text, title: call.name },
    callId: call.id,
    ...(mine && { questionId: mine.id }),
    ...(asked.rule && { rule: asked.rule }),
    proposal: ruleFor(open, 'allow', tools),
    ...(asked.reason !== undefined && { reason: asked.reason }),
  }
}

type Answer = NonNullable<NonNullable<Turn['question']>['answer']>

/** The user's answer decides about this call and, if the user said so, adds a rule for later calls. */
function answeredPermit(open: OpenCall, { outcome, permit, scope, answer }: Answer, tools: KnownTools): Recorded[] {
  const callId = open.call.id
  if (outcome === 'unanswered' || permit === undefined) {
    return [{ type: 'permission.decided', callId, permit: 'deny', by: 'runtime', reason: 'nobody answered' }]
  }
  const words = answer === undefined ? undefined : shownText(answer)
  const reason = permit === 'allow' ? 'allowed by the user' : (words ?? 'denied by the user')
  const { reach } = open.examined ?? {}
  const about: Recorded = { type: 'permission.decided', callId, permit, by: 'user', reason, reach }
  if (scope === undefined || scope === 'once') return [about]
  const rule: PermissionRule = { ...ruleFor(open, permit, tools), source: scope }
  return [about, { type: 'permission.rule_added', rule, scope: scope === 'always' ? 'project' : 'session', by: 'user' }]
}

function answerToQuestion(turn: Turn, open: OpenCall, question: QuestionText): Move {
  const callId = open.call.id
  const mine = turn.question?.callId === callId ? turn.question : null
  if (mine?.answer === undefined) {
    return { type: 'ask_user', kind: 'question', question, callId, ...(mine && { questionId: mine.id }) }
  }
  const { outcome, answer } = mine.answer
  const told =
    outcome === 'answered' && answer !== undefined
      ? ({ outcome: 'ok', text: answer } as const)
      : ({ outcome: 'failed', text: 'Nobody is there to answer. Decide yourself, and say what you assumed.' } as const)
  return decide({ type: 'tool.finished', callId, ...told })
}

function hookAfter(state: SessionState, turn: Turn, { call, outcome, startedEpoch }: OpenCall): Move | undefined {
  if (startedEpoch === undefined || outcome === 'interrupted' || outcome === 'unknown') return undefined
  return hookFor(state, turn, outcome === 'ok' ? 'post_tool' : 'tool_failure', call.id)
}

/** The hook that is due at this moment and has not run yet. */
export function hookFor(
  { policy }: SessionState,
  turn: Turn,
  on: HookMoment,
  callId: string | undefined,
): Move | undefined {
  if (!policy?.hooks?.includes(on)) return undefined
  if (turn.hooks.some((hook) => hook.on === on && hook.callId === callId)) return undefined
  return { type: 'run_hook', on, ...(callId !== undefined && { callId }) }
}
