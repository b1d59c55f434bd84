import type { Environment } from '../ports/environment.ts'
import { Id } from '../words/ids.ts'
import type { CallPart, Message, ResultPart } from '../words/message.ts'
import type { Draft, DraftLoss, DraftMessage, DraftResult } from './draft.ts'

/** Ids and time for messages that come from another program without either. */
export interface FromModelMessagesOptions {
  readonly newId: Environment['newId']
  /** The time of the import: messages of other programs do not say when they were made. */
  readonly at: string
}

/** What `session.imported` records. */
export interface ImportedMessages {
  readonly messages: Message[]
  readonly losses: string[]
}

/** The result of each call part. */
type Answers = ReadonlyMap<CallPart, DraftResult>

const noResult = 'No result of this call was recorded. It is not known whether it took effect.'

/**
 * The messages with their results.
 *
 * Invariants:
 * 1. `pairingFault` finds nothing: every call has exactly one result, right behind the message that makes it.
 * 2. No two calls have one id, whatever ids they came with.
 * 3. A result is placed, or there is a loss that names it.
 */
export function pairDrafts(drafts: readonly Draft[], options: FromModelMessagesOptions): ImportedMessages {
  const { answers, losses } = matchResults(drafts)
  const idOf = idsOfCalls(drafts, options.newId)
  const made = drafts.filter((draft) => draft.kind === 'message')
  return {
    messages: made.flatMap((draft) => messagesOf(draft, answers, idOf, options)),
    losses: [...losses, ...made.flatMap((draft) => missingResults(draft, answers))]
      .toSorted((one, other) => one.index - other.index)
      .map(({ loss }) => loss),
  }
}

/**
 * A result answers the first unanswered call with its id. When a later message uses the id again, results go to the
 * later call.
 */
function matchResults(drafts: readonly Draft[]): { answers: Answers; losses: DraftLoss[] } {
  const answers = new Map<CallPart, DraftResult>()
  const losses: DraftLoss[] = []
  const waiting = new Map<string, CallPart[]>()
  for (const draft of drafts) {
    if (draft.kind === 'message') waitFor(callPartsOf(draft), waiting)
    if (draft.kind === 'loss') losses.push(draft)
    if (draft.kind !== 'result') continue
    const call = waiting.get(draft.callId)?.shift()
    if (call) answers.set(call, draft)
    else losses.push(orphan(draft))
  }
  return { answers, losses }
}

function waitFor(calls: readonly CallPart[], waiting: Map<string, CallPart[]>): void {
  for (const { call } of calls) waiting.set(call.id, [])
  for (const part of calls) waiting.get(part.call.id)?.push(part)
}

/** The original id of a call if it is unique and valid; otherwise a new one. */
function idsOfCalls(drafts: readonly Draft[], newId: Environment['newId']): ReadonlyMap<CallPart, string> {
  const parts = drafts.flatMap((draft) => (draft.kind === 'message' ? callPartsOf(draft) : []))
  const uses = new Map<string, number>()
  for (const { call } of parts) uses.set(call.id, (uses.get(call.id) ?? 0) + 1)
  const stays = (id: string) => uses.get(id) === 1 && Id.safeParse(id).success
  return new Map(parts.map((part) => [part, stays(part.call.id) ? part.call.id : unusedId(newId, uses)]))
}

/** An id that is not used: ids of another program may look like ours. */
function unusedId(newId: Environment['newId'], used: ReadonlyMap<string, unknown>): string {
  let id = newId('call')
  while (used.has(id)) id = newId('call')
  return id
}

function messagesOf(
  draft: DraftMessage,
  answers: Answers,
  idOf: ReadonlyMap<CallPart, string>,
  { newId, at }: FromModelMessagesOptions,
): Message[] {
  const { role } = draft
  const content = draft.content.map((part) => (part.type === 'call' ? withId(part, idOf) : part))
  const message: Message = { id: newId('msg'), role, origin: 'import', content, at }
  const results = callPartsOf(draft).map((part): Message => {
    const result = resultOf(part, answers.get(part), idOf)
    return { id: newId('msg'), role: 'tool', origin: 'import', content: [result], at }
  })
  return [message, ...results]
}

function withId(part: CallPart, idOf: ReadonlyMap<CallPart, string>): CallPart {
  const id = idOf.get(part) ?? part.call.id
  return id === part.call.id ? part : { ...part, call: { ...part.call, id, providerId: part.call.id } }
}

function resultOf(part: CallPart, answer: DraftResult | undefined, idOf: ReadonlyMap<CallPart, string>): ResultPart {
  const callId = idOf.get(part) ?? part.call.id
  const { name } = part.call
  if (answer === undefined) return { type: 'result', callId, name, outcome: 'unknown', text: noResult }
  const { kind: _kind, index: _index, ...said } = answer
  return { type: 'result', ...said, callId, name }
}

function callPartsOf({ content }: DraftMessage): CallPart[] {
  return content.filter((part) => part.type === 'call')
}

function orphan({ index, callId }: DraftResult): DraftLoss {
  const loss = `messages[${index}]: a result for call ${callId} was left out, because no call with this id waits for one.`
  return { kind: 'loss', index, loss }
}

function missingResults(draft: DraftMessage, answers: Answers): DraftLoss[] {
  const { index } = draft
  return callPartsOf(draft)
    .filter((part) => !answers.has(part))
    .map(({ call: { id, name } }) => ({
      kind: 'loss',
      index,
      loss: `messages[${index}]: call ${id} (${name}) has no result; it was taken over with the outcome unknown.`,
    }))
}
