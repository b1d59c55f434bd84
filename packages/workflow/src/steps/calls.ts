import { type OpenCall, rootOf, type SessionState, shownText, type Turn } from '@loader/session-core'
import type { PermissionRule, Policy, QuestionText } from '@loader/session-core/coding'
import { decide, type HookMoment, type Step, type Recorded } from '../words/step.ts'
import { decidePermission, type HookPermission } from '../permission/decide-permission.ts'
import { type KnownTools, toolsOfPolicy } from '../permission/rules/known-tools.ts'
import { ruleFor } from '../permission/rule-for.ts'
import { policyOf } from '../permission/policy-of.ts'
import { isPlanHeld, whyPlanForbids } from '../permission/held-plan.ts'
import { finishToolName } from '../words/tools.ts'
import { repeatedCallStep } from './repeated-call.ts'
import { unseenBefore } from './unseen.ts'
import { stoppedByHook } from './stopped-by-hook.ts'

/**
 * The next step for the calls of the last answer, or undefined when all of them are answered.
 *
 * Calls run in order. A call is examined only when all calls before it are done, because they may change what it
 * depends on. Those that only look, or work in copies, are the exception: several are prepared and then run together.
 */
export function callsStep(state: SessionState, turn: Turn): Step | undefined {
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
    return step === 'ready' ? runStep(state, turn, open) : step
  }
  if (ready.length === 0) return undefined
  const before = ready.some(({ examined }) => examined?.apart) ? beforeChange(state, turn) : undefined
  return before ?? { type: 'run_calls', callIds: ready.map(({ call }) => call.id) }
}

/** The most calls that run together. */
const mostAtOnce = 8

/**
 * Whether a call may run together with those that are ready. A call that will be refused is answered when it is next.
 */
function mayJoin(open: OpenCall, step: Step): boolean {
  return step.type !== 'refuse_call' && (open.examined === undefined || mayShareItsRun(open))
}

function mayShareItsRun(open: OpenCall): boolean {
  const { examined } = open
  if (examined?.question !== undefined) return false
  return examined?.effect === 'none' || examined?.effect === 'probe' || examined?.apart === true
}

/** What a call needs next; `ready` when it can run. */
function stepOf(state: SessionState, turn: Turn, open: OpenCall): Step | 'ready' {
  const { call, examined, permit, startedEpoch } = open
  const callId = call.id
  if (startedEpoch !== undefined) {
    return examined?.question
      ? answerToQuestion(state, turn, open, examined.question)
      : { type: 'reconcile_call', callId }
  }
  const stopped = stoppedByHook(turn)
  if (stopped !== undefined) {
    return { type: 'refuse_call', callId, outcome: 'interrupted', text: `Not run. ${stopped.summary}.` }
  }
  if (call.malformed !== undefined) {
    const text = `The arguments of ${call.name} are not JSON. Write them again as one JSON object: ${call.malformed.slice(0, 500)}`
    return { type: 'refuse_call', callId, outcome: 'failed', text }
  }
  const hook = hookFor(state, turn, 'pre_tool', callId, call.name)
  if (hook !== undefined) return hook
  if (examined === undefined) return { type: 'examine_call', callId }
  if (examined.invalid !== undefined) {
    return { type: 'refuse_call', callId, outcome: 'failed', text: examined.invalid }
  }
  if (permit === undefined) return repeatedCallStep(state, turn, open) ?? decide(permission(state, turn, open))
  switch (permit.permit) {
    case 'allow':
      return 'ready'
    case 'deny':
      return { type: 'refuse_call', callId, outcome: 'denied', text: `Not allowed: ${permit.reason ?? 'denied'}` }
    case 'ask':
      return permitByUser(state, turn, open, { ...permit, tools: toolsOfPolicy(state.policy) })
    default:
      return permit.permit satisfies never
  }
}

function runStep(state: SessionState, turn: Turn, open: OpenCall): Step {
  const { call, examined } = open
  if (examined?.question !== undefined) {
    return (
      toldThatAnswerIsAwaited(state, turn, call.id) ?? {
        type: 'ask_user',
        kind: 'question',
        question: examined.question,
        callId: call.id,
      }
    )
  }
  return beforeChange(state, turn) ?? { type: 'run_calls', callIds: [call.id] }
}

/** What is looked at before calls change something. */
function beforeChange(state: SessionState, turn: Turn): Step | undefined {
  if (turn.lane === 'main' && state.workspace?.baseline?.turnId !== turn.id && turn.work.lastEffectSeq === null) {
    return {
      type: 'observe',
      look: { tree: 'baseline', beside: true },
      why: 'before the first change of the turn',
    }
  }
  return unseenBefore(state, turn)
}

function permission(state: SessionState, turn: Turn, open: OpenCall): Recorded {
  const root = rootOf(state)
  const hooks = turn.hooks.filter(({ callId, on }) => callId === open.call.id && on === 'pre_tool').map(asPermit)
  const reach = open.examined?.reach
  const forbidden = isPlanHeld(state) ? whyBeforeApproval(open, policyOf(state)) : undefined
  if (forbidden !== undefined) {
    return { type: 'permission.decided', callId: open.call.id, permit: 'deny', by: 'mode', reason: forbidden, reach }
  }
  const policy = open.examined?.question === undefined ? policyOf(state) : unasked(policyOf(state))
  const decision = decidePermission(open, policy, hooks, root === undefined ? {} : { root })
  const { permit, by, rule, reason } = decision
  return { type: 'permission.decided', callId: open.call.id, permit, by, rule, reason, reach }
}

/** A statement of how the work ended would end the turn with the plan; the plan itself is answered in words. */
function whyBeforeApproval(open: OpenCall, policy: Policy): string | undefined {
  if (open.call.name === finishToolName) return 'the plan is not approved yet. Answer with the plan, in words'
  return whyPlanForbids(open, policy)
}

/** In the mode `prompt`, a call that asks the user a question must not need permission first. */
function unasked(policy: Policy): Policy {
  const { permission } = policy
  return permission.mode === 'prompt' ? { ...policy, permission: { ...permission, mode: 'read-only' } } : policy
}

/** A hook that decides `deny` counts as denying, even if it also gave a permission. */
function asPermit({ hook, decision, permit, message, answers }: Turn['hooks'][number]): HookPermission {
  return { hook, permit: decision === 'deny' ? 'deny' : permit, message, answers }
}

type Asked = NonNullable<OpenCall['permit']> & { readonly tools: KnownTools }

function permitByUser(state: SessionState, turn: Turn, open: OpenCall, { tools, ...asked }: Asked): Step {
  const { call, examined } = open
  const { question } = turn
  const mine = question?.kind === 'permit' && question.callId === call.id ? question : null
  if (mine?.answer !== undefined) return decide(...answeredPermit(open, mine.answer, tools))
  const told = toldThatAnswerIsAwaited(state, turn, call.id)
  if (told !== undefined) return told
  const text = examined?.preview ?? examined?.command ?? `${call.name} ${JSON.stringify(call.input)}`
  const proposal = ruleFor(open, 'allow', tools)
  const exactly = ruleFor(open, 'allow', tools, 'call')
  return {
    type: 'ask_user',
    kind: 'permit',
    question: { text, title: call.name },
    callId: call.id,
    ...(mine && { questionId: mine.id }),
    ...(asked.rule && { rule: asked.rule }),
    proposal,
    ...(exactly.pattern !== proposal.pattern && { exactProposal: exactly }),
    ...(asked.reason !== undefined && { reason: asked.reason }),
  }
}

type Answer = NonNullable<NonNullable<Turn['question']>['answer']>

/** The user's answer decides about this call and, if the user said so, adds a rule for later calls. */
function answeredPermit(
  open: OpenCall,
  { outcome, permit, scope, extent, answer }: Answer,
  tools: KnownTools,
): Recorded[] {
  const callId = open.call.id
  if (outcome === 'unanswered' || permit === undefined) {
    return [{ type: 'permission.decided', callId, permit: 'deny', by: 'runtime', reason: 'there was no answer' }]
  }
  const words = answer === undefined ? undefined : shownText(answer)
  const reason = permit === 'allow' ? 'allowed by the user' : (words ?? 'denied by the user')
  const { reach } = open.examined ?? {}
  const about: Recorded = { type: 'permission.decided', callId, permit, by: 'user', reason, reach }
  if (scope === undefined || scope === 'once') return [about]
  const rule: PermissionRule = { ...ruleFor(open, permit, tools, extent), source: scope }
  return [about, { type: 'permission.rule_added', rule, scope: scope === 'always' ? 'project' : 'session', by: 'user' }]
}

function answerToQuestion(state: SessionState, turn: Turn, open: OpenCall, question: QuestionText): Step {
  const callId = open.call.id
  const mine = turn.question?.callId === callId ? turn.question : null
  if (mine?.answer === undefined) {
    const asking = {
      type: 'ask_user',
      kind: 'question',
      question,
      callId,
      ...(mine && { questionId: mine.id }),
    } as const
    return toldThatAnswerIsAwaited(state, turn, callId) ?? asking
  }
  const { outcome, answer } = mine.answer
  const told =
    outcome === 'answered' && answer !== undefined
      ? ({ outcome: 'ok', text: answer } as const)
      : ({
          outcome: 'failed',
          text: 'No one can answer: this run is non-interactive. Decide yourself, and say what you assumed.',
        } as const)
  return decide({ type: 'tool.finished', callId, ...told })
}

/** Before the user is asked, hooks are told: a sound, a message to a phone. In a run without a user to ask, they are not. */
function toldThatAnswerIsAwaited(state: SessionState, turn: Turn, callId: string): Step | undefined {
  return state.policy?.audience === 'user' ? hookFor(state, turn, 'notification', callId) : undefined
}

function hookAfter(state: SessionState, turn: Turn, { call, outcome, startedEpoch }: OpenCall): Step | undefined {
  if (startedEpoch === undefined || outcome === 'interrupted' || outcome === 'unknown') return undefined
  return hookFor(state, turn, outcome === 'ok' ? 'post_tool' : 'tool_failure', call.id, call.name)
}

/** The hook that is due at this moment and has not run yet. Hooks around calls may be for calls of some tools alone. */
export function hookFor(
  { policy }: SessionState,
  turn: Turn,
  on: HookMoment,
  callId: string | undefined,
  tool?: string,
): Step | undefined {
  const moments = policy?.hooks ?? []
  if (!moments.includes(on) && (tool === undefined || !moments.includes(`${on}:${tool}`))) return undefined
  if (turn.hooks.some((hook) => hook.on === on && hook.callId === callId)) return undefined
  return { type: 'run_hook', on, ...(callId !== undefined && { callId }) }
}
