import {
  type AnswerPart,
  type Backend,
  type BackendDone,
  type BackendError,
  type BackendEvent,
  LoaderError,
  type ModelFailure,
  type ModelRequest,
  type Signal,
} from '@loader/session-core'
import { requireBackendEvent, requireStream } from '@loader/session-core/coding'
import { type RequestBudget, requestBudget } from '@loader/workflow'
import { canonicalCall } from '../calls/canonical-call.ts'
import { storeFile } from '../files/store-files.ts'
import { promptFor, withDigest } from '../prompt/prompt-for.ts'
import { requestFor } from '../prompt/request-for.ts'
import { thinkingFor } from '../prompt/thinking-for.ts'
import { untilAborted } from '../stage/abort.ts'
import { currentBackend } from '../stage/current-backend.ts'
import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'
import { Progress } from './progress.ts'
import { toolsAsTheyAre } from './tools-as-they-are.ts'

/**
 * Sends a request to the model. The request is durable before it is sent; deltas are shown at once and recorded a
 * moment later. Every request gets exactly one final event, unless the turn is being stopped: then stopping settles it.
 */
export async function askModel(step: StepOf<'ask_model'>, stage: Stage): Promise<void> {
  const { session, environment } = stage
  await takeOver(stage)
  await toolsAsTheyAre(stage)
  const backend = currentBackend(stage, session.state)
  const { purpose, attempt } = step
  const requestId = step.requestId ?? environment.newId('req')
  if (purpose === 'answer') await renderPrompt(stage)
  const thinking = thinkingFor(session.state, purpose)
  const budget = requestBudget(session.state)
  const estimate = budget && { estimatedTokens: budget.estimatedTokens, atMostUsd: budget.atMostUsd }
  session.record({ type: 'model.asked', requestId, purpose, attempt, model: backend.id, ...thinking, ...estimate })
  await session.durable()
  const request = limitedBy(budget, await requestFor(step, requestId, stage))
  if (stage.signal.aborted) return
  const progress = new Progress(session, environment, requestId)
  try {
    const answer = await answered(request, progress, stage)
    if (isWhole(answer)) progress.end()
    else progress.flush()
    if (answer !== 'stopped') await recordAnswer(requestId, answer, stage)
    if (isOtherModel(answer)) await stage.applyPolicy()
  } finally {
    progress.stop()
  }
}

/** When another model takes over, the policy is that for it. */
async function takeOver({ session, applyPolicy, show }: Stage): Promise<void> {
  const { turn, policy } = session.state
  if (turn?.model === undefined || turn.model === policy?.model?.model) return
  show({ type: 'delta.status', message: `${turn.model} takes over for the rest of this turn` })
  await applyPolicy()
}

/** Under a budget, an answer is limited to what is paid for. */
function limitedBy(budget: RequestBudget | undefined, request: ModelRequest): ModelRequest {
  if (budget === undefined) return request
  const { maxOutputTokens = budget.maxOutputTokens } = request
  return { ...request, maxOutputTokens: Math.min(maxOutputTokens, budget.maxOutputTokens) }
}

/** The result of a request: an answer, a failure, or `stopped` because the turn is being stopped. */
type Answer = BackendDone | { readonly type: 'failed'; readonly error: ModelFailure } | 'stopped'

/** Whether the backend has another model than the policy says. The next attempt is made for that model. */
function isOtherModel(answer: Answer): boolean {
  return answer !== 'stopped' && answer.type === 'failed' && answer.error.kind === 'model_changed'
}

/** A complete answer contains the deltas that were not recorded yet. */
function isWhole(answer: Answer): answer is BackendDone {
  return answer !== 'stopped' && answer.type === 'done' && !isCut(answer)
}

/** Records the prompt if it differs from the last one. */
async function renderPrompt(stage: Stage): Promise<void> {
  const { session } = stage
  const { text, sections, ...prompt } = promptFor(session.state, stage)
  const last = session.state.prompts.at(-1)
  if (
    last?.text !== undefined &&
    (await session.readText(last.text)) === text &&
    last.toolsDigest === prompt.toolsDigest
  ) {
    return
  }
  const digests = sections.map(withDigest)
  session.record({ type: 'prompt.rendered', ...prompt, sections: digests, text: await session.storeText(text) })
}

/** Reads the stream to its end. */
async function answered(request: ModelRequest, progress: Progress, stage: Stage): Promise<Answer> {
  let stream: AsyncIterator<BackendEvent> | undefined
  const begin = () => streamOf(currentBackend(stage, stage.session.state), request, stage.signal)
  try {
    for (;;) {
      const event = await nextOf(() => (stream ??= begin()), stage)
      if (event === 'stopped' || event.type === 'failed') return event
      if (event.type === 'done') {
        // Reading to the end lets the connection be reused; the results are ignored.
        void stream?.next().catch(() => undefined)
        return event
      }
      take(event, request.requestId, progress, stage)
    }
  } finally {
    // Releases the connection; an error from that is ignored.
    void stream?.return?.().catch(() => undefined)
  }
}

function streamOf(backend: Backend, request: ModelRequest, signal: Signal): AsyncIterator<BackendEvent> {
  const stream: unknown = backend.stream(request, { signal })
  requireStream(backend.id, stream)
  return stream[Symbol.asyncIterator]()
}

/** The next event of the stream. An error thrown by a backend becomes a failure of the request. */
async function nextOf(
  stream: () => AsyncIterator<BackendEvent>,
  stage: Stage,
): Promise<BackendEvent | Exclude<Answer, BackendDone>> {
  const { signal } = stage
  try {
    const next = await untilAborted(stream().next(), signal)
    if (next === undefined) return 'stopped'
    if (next.done === true) return { type: 'failed', error: cutOff }
    requireBackendEvent(currentBackend(stage, stage.session.state).id, next.value)
    return next.value
  } catch (error) {
    return signal.aborted ? 'stopped' : { type: 'failed', error: failureOf(error) }
  }
}

const cutOff: ModelFailure = { kind: 'interrupted', message: 'The answer ended before it was complete.' }

function take(event: Exclude<BackendEvent, BackendDone>, requestId: string, progress: Progress, { show }: Stage): void {
  switch (event.type) {
    case 'text':
      show({ type: 'delta.text', requestId, text: event.delta })
      progress.add('text', event.delta)
      return
    case 'reasoning':
      show({ type: 'delta.reasoning', requestId, text: event.delta })
      progress.add('reasoning', event.delta)
      return
    case 'call_input':
      show({ type: 'delta.call', requestId, index: event.index, name: event.name, text: event.delta })
      return
    case 'status':
      show({ type: 'delta.status', message: event.message })
      return
    default:
      event satisfies never
  }
}

async function recordAnswer(requestId: string, answer: Exclude<Answer, 'stopped'>, stage: Stage): Promise<void> {
  if (answer.type === 'failed') {
    stage.session.record({ type: 'model.failed', requestId, error: answer.error })
    return
  }
  const { finishReason, usage, model, cost, providerMetadata } = answer
  if (isCut(answer)) {
    stage.session.record({ type: 'model.failed', requestId, error: cutOff, usage })
    return
  }
  const { blobs } = stage.session
  const named = answer.content.map((part) => withOwnId(part, stage))
  // Without files nothing is waited for, so that a turn takes no other way than before.
  const content = named.some(({ type }) => type === 'file')
    ? await Promise.all(named.map(async (part) => (part.type === 'file' ? storeFile(part, blobs) : part)))
    : named
  const about = { finishReason, usage, model, cost, providerMetadata }
  stage.session.record({ type: 'model.answered', requestId, content, ...about })
}

function isCut({ finishReason }: BackendDone): boolean {
  return finishReason === 'interrupted' || finishReason === 'error'
}

/** Replaces the provider's call ids, which may repeat, by unique ones, and the names by those of the tools. */
function withOwnId(part: AnswerPart, { environment, tools }: Stage): AnswerPart {
  if (part.type !== 'call') return part
  const { id: providerId, name, input, ...rest } = part.call
  const call = { ...rest, ...canonicalCall(tools, name, input), id: environment.newId('call'), providerId }
  return { ...part, call }
}

/** The failure as text that may be stored. It must never become part of the model's answer. */
function failureOf(error: unknown): ModelFailure {
  if (error instanceof Error && 'failure' in error && error.name === 'BackendError') {
    return (error as BackendError).failure
  }
  // Errors of settings, credentials and unsupported features are not worth a retry.
  if (LoaderError.is(error)) return { kind: error.code, message: error.message }
  return { kind: 'other', message: error instanceof Error ? error.message : String(error) }
}
