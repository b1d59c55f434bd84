import { fits } from './fits.ts'
import { type PreparedScript, usesOf } from './prepared-script.ts'
import { answersIn, isCutOff, leavesNoAnswer, type MadeLines } from './recognize.ts'
import { firstUserText, type WireRequest } from './wire-request.ts'
import type { WireLine } from './wire-script.ts'

/** The progress of a script. Every index is that of a line. */
export interface Position {
  /** How often each line was used. */
  readonly given: readonly number[]
  /** For lines that leave no answer in a conversation: how often each was sent completely. */
  readonly passed: readonly number[]
  /** The lines made by functions so far. */
  readonly made: MadeLines
  /** The conversations that were answered, with the line of each. */
  readonly conversations: readonly { readonly messages: string; readonly place: ScriptPlace }[]
  /** The first user text of the first request. */
  readonly opening: string | undefined
}

export function positionIn({ lines }: PreparedScript): Position {
  const none = lines.map(() => 0)
  return { given: none, passed: none, made: {}, conversations: [], opening: undefined }
}

/** The line that answers a request, and which of its uses this is, counted from 0. */
export interface ScriptPlace {
  readonly index: number
  readonly use: number
}

/** The first line that is not used up and whose condition fits. */
export function placeOf(script: PreparedScript, position: Position, request: WireRequest): ScriptPlace | undefined {
  const repeated = script.order === 'conversation' ? repeatedPlace(script, position, request) : undefined
  if (repeated) return repeated
  const uses = script.order === 'conversation' ? usesInConversation(script, position, request) : position.given
  const index = script.lines.findIndex((line, at) => {
    const when = typeof line === 'function' ? undefined : line.when
    return (uses[at] ?? 0) < usesOf(line) && fits(when, request)
  })
  return index < 0 ? undefined : { index, use: uses[index] ?? 0 }
}

/** The position after a request took the line at this place. */
export function afterAsking(position: Position, request: WireRequest, place: ScriptPlace): Position {
  return {
    ...position,
    given: oneMore(position.given, place.index),
    conversations: [...position.conversations, { messages: conversationOf(request), place }],
    opening: position.opening ?? firstUserText(request),
  }
}

/** The position after the answer of a line was sent completely. */
export function afterSending(position: Position, line: WireLine, index: number): Position {
  return leavesNoAnswer(line) ? { ...position, passed: oneMore(position.passed, index) } : position
}

/** Whether a line was used as often as required. */
export function isUsedUp(script: PreparedScript, position: Position, index: number): boolean {
  const line = script.lines[index]
  if (line === undefined) return true
  const needed = usesOf(line)
  return (position.given[index] ?? 0) >= (needed === Infinity ? 0 : needed)
}

/**
 * How often each line counts as used for this request: as often as its answer is in the conversation. Lines before the
 * last of those are used up as well, because a compaction may have removed their answers. A conversation with none of
 * the answers is at its beginning, or continues after the furthest line used.
 */
function usesInConversation(script: PreparedScript, position: Position, request: WireRequest): readonly number[] {
  const answered = answersIn(script, position.made, request)
  const last = answered.findLastIndex((count) => count > 0)
  const furthest = position.given.findLastIndex((count) => count > 0)
  const usedUpTo = last >= 0 ? last : isBeginning(script, position, request) ? 0 : furthest + 1
  return script.lines.map((line, index) => {
    const isFixed = typeof line === 'function' || line.when === undefined
    if (index < usedUpTo && isFixed && usesOf(line) !== Infinity) return usesOf(line)
    const known = typeof line === 'function' ? position.made[index] : line
    return (known && leavesNoAnswer(known) ? position.passed[index] : answered[index]) ?? 0
  })
}

/**
 * Whether the conversation begins with the text of the first request and has no complete answer yet. Any other
 * conversation without answers is compacted, or a separate one.
 */
function isBeginning(script: PreparedScript, { opening, made }: Position, request: WireRequest): boolean {
  if (opening !== undefined && opening !== firstUserText(request)) return false
  return request.messages.every((message) => message.role !== 'assistant' || isCutOff(script, made, message))
}

/** A repeated compacted conversation gets the same line again. */
function repeatedPlace(script: PreparedScript, position: Position, request: WireRequest): ScriptPlace | undefined {
  if (answersIn(script, position.made, request).some((count) => count > 0)) return undefined
  const messages = conversationOf(request)
  const place = position.conversations.findLast((one) => one.messages === messages)?.place
  const line = place && script.lines[place.index]
  const known = typeof line === 'function' ? position.made[place?.index ?? -1] : line
  return known === undefined || leavesNoAnswer(known) ? undefined : place
}

function conversationOf({ messages }: WireRequest): string {
  return JSON.stringify(messages)
}

function oneMore(counts: readonly number[], index: number): readonly number[] {
  return counts.map((count, at) => (at === index ? count + 1 : count))
}
