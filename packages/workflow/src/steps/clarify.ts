import { callsOf, type Request, type SessionState, shownText, textOf, type Turn } from '@loader/session-core'
import { askUserToolName } from '../words/tools.ts'
import { bridgeText } from './bridge-text.ts'
import { writtenBrief } from '../planning/brief-text.ts'
import { chooseQuestion, firstFocus, nextFocus } from '../planning/clarify-focus.ts'
import { type ClarifyProgress, clarifyProgress } from '../planning/clarify-progress.ts'
import { enrichBrief } from '../planning/enrich-brief.ts'
import { parseBrief, readBrief } from '../planning/parse-brief.ts'
import { recoveryEntry } from '../planning/recovery-entry.ts'
import { saidCriteria } from '../planning/said-criteria.ts'
import { touchedInProject } from '../planning/touched-in-project.ts'
import { type ClarifyReview, reviewClarify } from '../planning/review-clarify.ts'
import { fallbackBrief, seedsOfBrief } from '../planning/brief-reading.ts'
import { seedLedger } from '../ledger/seed-ledger.ts'
import { limitsOf } from '../words/limits.ts'
import { decide, type Decided, type Step, type Recorded } from '../words/step.ts'
import { routeSignalsOf } from './route-signals-of.ts'
import { rerouted, routeTask } from '../routing/route-task.ts'
import { decisionsOfTurn } from '../timeline/decisions-of-turn.ts'
import { repairEntry } from '../timeline/repair-entry.ts'

/** How often the model is asked again for a question before the round continues without one. */
const mostRepairs = 1

/**
 * One round of clarification: observe the workspace, let the model ask, put its question to the user, have the brief
 * written, review it.
 */
export function clarifyStep(state: SessionState, turn: Turn): Step | undefined {
  const progress = clarifyProgress(state)
  if (progress === null || progress.status === 'over') return undefined
  const { request } = turn
  if (request === null || wasReviewed(state) || !isOfThisMode(request)) return beginRound(state, turn)
  if (request.status === 'interrupted') return { type: 'ask_model', purpose: request.purpose, attempt: 1 }
  return request.purpose === 'clarify'
    ? afterQuestion(state, turn, request, progress)
    : review(state, request, progress)
}

function isOfThisMode(request: Request): request is Request & { readonly purpose: 'clarify' | 'brief' } {
  return request.purpose === 'clarify' || request.purpose === 'brief'
}

/** Whether the review already added its note, which is then the last message of the conversation. */
function wasReviewed(state: SessionState): boolean {
  return decisionsOfTurn(state).some(({ kind, id }) => kind === 'clarify_continue' && state.messages.at(-1)?.id === id)
}

function beginRound({ workspace, task }: SessionState, turn: Turn): Step {
  const looked = workspace !== null && workspace.grounding !== null && workspace.seq > turn.startedSeq
  if (looked) return { type: 'ask_model', purpose: 'clarify', attempt: 1 }
  return { type: 'observe', look: { grounding: shownText(task ?? '') }, why: 'to ask about what is there' }
}

function afterQuestion(state: SessionState, turn: Turn, request: Request, progress: ClarifyProgress): Step {
  const brief = { type: 'ask_model', purpose: 'brief', attempt: 1 } as const
  if (turn.calls.some(({ call }) => call.name === askUserToolName)) return brief
  if (wasRepaired(state, request)) return { type: 'ask_model', purpose: 'clarify', attempt: 1 }
  const message = state.messages.at(-1)
  if (request.answer === undefined && message?.id === request.id) {
    const question = chooseQuestion(focusOf(state, progress), {
      answer: textOf(message.content),
      grounding: state.workspace?.grounding ?? null,
    })
    const call = { id: `${request.id}_ask`, name: askUserToolName, input: { question } }
    return decide({ type: 'calls.recovered', requestId: request.id, calls: [{ ...call, recovered: true }] })
  }
  if (turn.spent.repairs >= mostRepairs) return brief
  const entry = repairEntry({
    mode: 'clarify',
    stage: 'empty_response',
    outcome: 'retry',
    code: 'empty_response_retry',
    summary: 'the model asked nothing',
    evidenceProvenance: [
      { category: 'response', source: request.id, summary: 'no question was asked', status: 'missing' },
    ],
  })
  const note = `[EMPTY ASSISTANT RESPONSE] Ask exactly one question now, by calling ${askUserToolName}.`
  return decide({ type: 'workflow.decided', entry, note })
}

/** The model was told to ask a question, and has not answered since. */
function wasRepaired({ timeline }: SessionState, { id }: Request): boolean {
  const latest = timeline.at(-1)
  return latest?.kind === 'repair_retry' && latest.evidenceProvenance?.some(({ source }) => source === id) === true
}

function focusOf(state: SessionState, { round, pressurePassComplete }: ClarifyProgress) {
  if (round === 1 || state.brief === null) return firstFocus
  const task = shownText(state.task ?? '')
  const brief = readBrief(state.brief, task)
  const { answer } = lastExchange(state)
  return nextFocus({ brief, task, answer, round: round - 1, pressurePassComplete }) ?? firstFocus
}

function review(state: SessionState, request: Request, progress: ClarifyProgress): Step {
  const task = shownText(state.task ?? '')
  const exchange = lastExchange(state)
  const written = textOf(request.answer ?? [])
  const reading = written.trim() === '' ? fallbackBrief({ task, answer: exchange.answer }) : parseBrief(written, task)
  const brief = enrichBrief(reading, {
    task,
    grounding: state.workspace?.grounding ?? null,
    touchedFiles: touchedInProject(state),
    criteria: saidCriteria(state),
  })
  const { round, pressurePassComplete } = progress
  const rounds = limitsOf(state.policy).clarifyRounds
  const reviewed = reviewClarify({ brief, task, answer: exchange.answer, round, rounds, pressurePassComplete })
  const kept = writtenBrief(brief, task, [exchange])
  const facts: Recorded[] = [
    { type: 'brief.written', brief: kept },
    { type: 'workflow.decided', entry: reviewed.entry, ...noteAfter(reviewed) },
  ]
  if (reviewed.next === 'ask_again') return decide(...facts)
  const route = routeAfter(state)
  // A plan brings its own note.
  const note = route.mode === 'execute' ? bridgeText({ ...state, brief: kept, mode: route.mode }) : null
  const ledger = seedLedger(state.ledger, seedsOfBrief(brief), 'clarify')
  return decide(
    ...facts,
    { type: 'ledger.updated', ledger: ledger },
    { type: 'workflow.decided', entry: route, ...(note !== null && { note }) },
  )
}

function noteAfter({ next, entry }: ClarifyReview): { readonly note?: string } {
  if (next === 'leave') return {}
  const open = entry.unresolvedQuestions ?? []
  return { note: ['[CLARIFICATION GOES ON] Not settled yet:', ...open.map((text) => `- ${text}`)].join('\n') }
}

/** The route after clarification. Clarification cannot be chosen a second time. */
function routeAfter(state: SessionState): Decided {
  const entered = state.route?.reasonCode
  if (entered === 'full_replan_requires_clarify') return recoveryEntry('full_replan_required')
  const signals = routeSignalsOf(state, { brief: 'available', openQuestions: [] })
  const after = entered === 'clarify_reentry_required' ? 'drift' : 'clarify'
  return rerouted(routeTask({ signals, clarification: 'over' }), after)
}

/** The turn's latest question to the user, with the answer; empty if there was no answer. */
function lastExchange({ messages }: SessionState): { readonly question: string; readonly answer: string } {
  const place = messages.findLastIndex(({ content }) => callsOf(content).some(({ name }) => name === askUserToolName))
  const call = callsOf(messages.at(place)?.content ?? []).findLast(({ name }) => name === askUserToolName)
  if (place < 0 || call === undefined) return { question: '', answer: '' }
  const results = messages.slice(place + 1).flatMap(({ content }) => content)
  const result = results.find((part) => part.type === 'result' && part.callId === call.id)
  const answer = result?.type === 'result' && result.outcome === 'ok' ? shownText(result.text) : ''
  return { question: questionIn(call.input), answer }
}

function questionIn(input: unknown): string {
  const question = input !== null && typeof input === 'object' && 'question' in input ? input.question : undefined
  return typeof question === 'string' ? question : ''
}
