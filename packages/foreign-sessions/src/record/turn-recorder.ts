import {
  type AnswerPart,
  type CallPart,
  callsOf,
  type SessionState,
  shownText,
  type StoredText,
  type ToolCall,
} from '@loader/session-core'
import type {
  ImportedAnswer,
  Compaction,
  ImportedFailure,
  SourcePlace,
  Prompt,
  Result,
  Rewind,
  Stop,
} from '../conversation/conversation.ts'
import type { PairedResults } from '../conversation/pair-results.ts'
import type { EventDraft } from './draft.ts'

/** Stands in for a prompt that is missing in the source, because turns and providers require one. */
const lostWords = 'What was said here is missing in the imported file.'
const lostSummary = 'What came before was folded into a summary, which is missing in the imported file.'
const noResult = 'No result of this call was recorded. It is not known whether it took effect.'

const noEnd = 'The imported file does not say how this turn ended.'

/** The progress of the open turn. Only the last answer of a turn is marked as such. */
type Standing = 'asked for nothing' | 'waits for an answer' | 'has an answer' | 'has its last answer'

/** Records a conversation as events, turn by turn. */
export class TurnRecorder {
  readonly #draft: EventDraft
  readonly #results: PairedResults
  /** Our ids of messages, and of the states before prompts, by their ids in the source. */
  readonly #messages = new Map<string, string>()
  readonly #before = new Map<string, SessionState>()
  #standing: Standing = 'asked for nothing'
  #responseId: string | undefined
  /** A failed request that was retried. */
  #failed: { readonly id: string; readonly attempt: number } | undefined

  constructor(draft: EventDraft, results: PairedResults) {
    this.#draft = draft
    this.#results = results
  }

  prompt(prompt: Prompt): void {
    const { text, files, by, place, at, joins } = prompt
    const { turn } = this.#draft.state
    if ((joins !== undefined || by === 'program') && turn !== null && turn.pending === null) return this.#join(prompt)
    this.finish()
    this.#draft.passTo(at)
    if (place.id !== undefined) this.#before.set(place.id, this.#draft.state)
    this.#begin(text, place, { ...(files && { files }), ...(by === 'program' && { source: 'program' }) })
  }

  #join({ text, files, by, place, at }: Prompt): void {
    this.#draft.passTo(at)
    const inputId = this.#draft.newId('in')
    if (place.id !== undefined) this.#messages.set(place.id, inputId)
    const about = { source: by === 'program' ? by : 'steering', ...(files && { files: [...files] }) }
    this.#draft.record({ type: 'input.queued', inputId, text, ...about, imported: place })
    this.#draft.record({ type: 'input.taken', inputId })
    this.#standing = 'waits for an answer'
  }

  answer(item: ImportedAnswer): void {
    const { usage, model, place, at, ending, finishReason } = item
    this.#requireTurn(place)
    this.#draft.passTo(at)
    const requestId = this.#ask(model)
    if (place.id !== undefined) this.#messages.set(place.id, requestId)
    const content = item.content.filter(saysSomething)
    const calls = callsOf(content)
    const told = { ...(usage && { usage }) }
    if (ending === 'cut off' && calls.length === 0) {
      const said = (type: 'text' | 'reasoning') =>
        content.flatMap((part) => (part.type === type ? [shownText(part.text)] : [])).join('')
      this.#draft.record({ type: 'answer.progressed', requestId, text: said('text'), reasoning: said('reasoning') })
      this.#draft.record({ type: 'model.interrupted', requestId, reason: 'cancelled', ...told, imported: place })
      this.#standing = 'asked for nothing'
      return
    }
    const made = content.map((part) => (part.type === 'call' ? withId(part, this.#draft.newId('call')) : part))
    const first = new Map(calls.toReversed().map((call) => [call.id, call]))
    const reason = finishReason ?? (ending === 'cut off' ? 'interrupted' : calls.length > 0 ? 'tool-calls' : 'other')
    const about = { finishReason: reason, ...told, ...(model !== undefined && { model }) }
    this.#draft.record({ type: 'model.answered', requestId, content: made, ...about, imported: place })
    for (const [index, { id: callId }] of callsOf(made).entries()) {
      const call = calls[index] as ToolCall
      // If two calls of one answer have the same id, the result is assigned to the first.
      this.#settle(call, callId, first.get(call.id) === call ? this.#results.resultOf(item, call.id) : undefined)
    }
    const stands = this.#draft.state.messages.at(-1)?.id === requestId
    const isLast = reason === 'stop' ? 'has its last answer' : 'has an answer'
    this.#standing = calls.length > 0 ? 'waits for an answer' : isLast
    this.#responseId = stands ? requestId : undefined
  }

  failure({ message, status, afterwards, place, at }: ImportedFailure): void {
    this.#requireTurn(place)
    this.#draft.passTo(at)
    const requestId = this.#ask(undefined)
    const attempt = this.#draft.state.turn?.request?.attempt ?? 1
    const error = { kind: failureKind(status), message, ...(status !== undefined && { status }) }
    this.#draft.record({ type: 'model.failed', requestId, error, imported: place })
    if (afterwards === 'tried again') this.#failed = { id: requestId, attempt }
    else this.#close('model_failed', message)
  }

  stop({ during, at }: Stop): void {
    const { turn } = this.#draft.state
    if (turn === null) return
    this.#draft.passTo(at)
    const waits = this.#standing === 'asked for nothing' || this.#standing === 'waits for an answer'
    if (during === 'request' && waits && turn.request?.status !== 'interrupted') this.#cutOff()
    this.#draft.record({ type: 'stop.requested', turnId: turn.id, by: 'user' })
    this.#close('interrupted', 'Stopped by the user.')
  }

  compaction({ text, keeps, tokensBefore, tokensAfter, place, at }: Compaction): void {
    if (this.#standing === 'has its last answer') this.finish()
    this.#draft.passTo(at)
    const window = this.#draft.state.messages.toArray()
    const kept = new Set(this.#keptIds(keeps))
    const stays = window.filter(({ id }) => kept.has(id))
    const messageId = this.#draft.newId('sum')
    this.#draft.record({
      type: 'context.compacted',
      messageId,
      text: shownText(text).trim() === '' ? lostSummary : text,
      method: 'model',
      why: 'imported',
      firstKept: null,
      alsoKept: stays.map(({ id }) => id),
      removed: window.length - stays.length,
      tokensBefore: tokensBefore ?? this.#draft.tokensOf(window),
      tokensAfter: tokensAfter ?? this.#draft.tokensOf(stays),
      imported: place,
    })
  }

  rewind({ to, at }: Rewind): void {
    const before = this.#before.get(to)
    if (before === undefined) return
    this.finish()
    this.#draft.passTo(at)
    const window = before.messages.toArray()
    const now = this.#draft.state.messages
    const stands = window.every(({ id }, index) => now.at(index)?.id === id)
    this.#draft.record({
      type: 'session.rewound',
      toSeq: before.seq,
      through: window.at(-1)?.id ?? null,
      ...(!stands && { restored: window }),
      task: before.task,
    })
  }

  /** Ends the turn, as the source says. */
  end(): void {
    if (this.#standing === 'has an answer') this.#standing = 'has its last answer'
    this.finish()
  }

  /** Ends the open turn in its current state, because the next item belongs to another turn or there is none. */
  finish(): void {
    const { turn } = this.#draft.state
    if (turn === null) return
    if (this.#standing === 'has its last answer') return this.#close('turn_complete', undefined)
    this.#close(turn.request?.status === 'interrupted' ? 'interrupted' : 'not_known', noEnd)
  }

  #begin(
    text: StoredText,
    place: SourcePlace,
    { files, source }: Pick<Prompt, 'files'> & { readonly source?: string },
  ): void {
    const inputId = this.#draft.newId('in')
    if (place.id !== undefined) this.#messages.set(place.id, inputId)
    const about = { ...(files && { files: [...files] }), ...(source !== undefined && { source }) }
    this.#draft.record({ type: 'input.queued', inputId, text, ...about, imported: place })
    this.#draft.record({ type: 'turn.started', turnId: this.#draft.newId('turn'), inputId })
    this.#standing = 'asked for nothing'
    this.#responseId = undefined
    this.#failed = undefined
  }

  /** Opens a turn if none is open. */
  #requireTurn({ line }: SourcePlace): void {
    if (this.#draft.state.turn === null) this.#begin(lostWords, { line }, { source: 'import' })
  }

  #ask(model: string | undefined): string {
    const { id = this.#draft.newId('req'), attempt = 0 } = this.#failed ?? {}
    this.#failed = undefined
    const about = { purpose: 'answer' as const, attempt: attempt + 1, ...(model !== undefined && { model }) }
    this.#draft.record({ type: 'model.asked', requestId: id, ...about })
    return id
  }

  /** Records that an open request was interrupted. */
  #cutOff(): void {
    this.#draft.record({ type: 'model.interrupted', requestId: this.#ask(undefined), reason: 'cancelled' })
  }

  /** Records one result for each call. An outcome missing in the source stays unknown. */
  #settle(call: ToolCall, callId: string, result: Result | undefined): void {
    this.#draft.passTo(result?.at)
    // The call was never examined, so its effect is unknown.
    this.#draft.record({ type: 'call.examined', callId, effect: 'unknown' })
    if (result?.permit !== undefined) {
      const { permit, by, reason } = result.permit
      this.#draft.record({ type: 'permission.decided', callId, permit, by, ...(reason !== undefined && { reason }) })
    }
    const outcome = result?.outcome ?? 'unknown'
    if (outcome !== 'denied') this.#draft.record({ type: 'tool.started', callId })
    this.#draft.record({
      type: 'tool.finished',
      callId,
      outcome,
      text: result?.text ?? noResult,
      ...(result?.files && { files: [...result.files] }),
      ...(result?.metadata && { metadata: result.metadata }),
      imported: result === undefined ? { line: 0, id: call.id } : result.place,
    })
    if (result?.place.id !== undefined) this.#messages.set(result.place.id, callId)
  }

  #close(reason: string, summary: string | undefined): void {
    const { turn } = this.#draft.state
    if (turn === null) return
    const response = reason === 'turn_complete' ? this.#responseId : undefined
    this.#draft.record({
      type: 'turn.finished',
      turnId: turn.id,
      reason,
      ...(summary !== undefined && { summary }),
      ...(response !== undefined && { responseId: response }),
    })
    this.#failed = undefined
  }

  /** The ids of the kept messages, each answer together with its results. */
  #keptIds(keeps: Compaction['keeps']): string[] {
    const window = this.#draft.state.messages.toArray()
    const wanted = 'from' in keeps ? this.#from(keeps.from) : keeps.flatMap((id) => this.#messages.get(id) ?? [])
    const kept = new Set(wanted)
    const said = window.filter(({ id, role }) => kept.has(id) && role !== 'tool')
    const calls = said.flatMap(({ content }) => callsOf(content))
    return [...said, ...calls].map(({ id }) => id)
  }

  #from(sourceId: string): string[] {
    const first = this.#messages.get(sourceId)
    const ids = this.#draft.state.messages.map(({ id }) => id)
    const place = first === undefined ? -1 : ids.indexOf(first)
    return place < 0 ? [] : ids.slice(place)
  }
}

/** Whether a part has content: providers refuse blank texts. */
function saysSomething(part: AnswerPart): boolean {
  return part.type !== 'text' || shownText(part.text).trim() !== ''
}

function withId(part: CallPart, id: string): CallPart {
  return { ...part, call: { ...part.call, id, providerId: part.call.id.slice(0, 256) } }
}

/** The failure kind of `model.failed` for an HTTP status. */
function failureKind(status: number | undefined): string {
  switch (status) {
    case 400:
      return 'bad_request'
    case 401:
    case 403:
      return 'auth'
    case 429:
      return 'rate_limited'
    case 503:
    case 529:
      return 'overloaded'
    default:
      return 'other'
  }
}
