import { argumentsText, partsOf } from '../script/answer.ts'
import type { ScriptedCall } from '../script/script.ts'
import { type PreparedScript, usesOf } from './prepared-script.ts'
import type { WireCall, WireMessage, WireRequest } from './wire-request.ts'
import type { WireLine, WireScriptLine } from './wire-script.ts'

/** The lines made by functions, by index. */
export type MadeLines = Readonly<Partial<Record<number, WireLine>>>

const faultsWithAnswer: readonly string[] = ['drip', 'malformed_call', 'duplicate_call_id']

/** Whether a line cannot be recognised in a conversation later: it fails, or has no content. */
export function leavesNoAnswer(line: WireLine): boolean {
  if (line.fault && !faultsWithAnswer.includes(line.fault.type)) return true
  if (line.wire?.fault || line.finishReason === 'interrupted') return true
  return spokenBy(line) === '' && callsBy(line).length === 0
}

/** How often each line of the script is in the conversation as an answer. */
export function answersIn({ lines }: PreparedScript, made: MadeLines, { messages }: WireRequest): readonly number[] {
  const known = knownLines(lines, made)
  const counts = lines.map(() => 0)
  let reached = 0
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    const isAnswer = (line: WireLine | undefined, index: number) =>
      line !== undefined && (counts[index] ?? 0) < usesOf(line) && isAnswerOf(line, counts[index] ?? 0, message)
    // Answers come in the order of the script; only lines with a condition may be out of order.
    const ahead = known.findIndex((line, index) => index >= reached && isAnswer(line, index))
    const index = ahead >= 0 ? ahead : known.findIndex(isAnswer)
    if (index < 0) continue
    counts[index] = (counts[index] ?? 0) + 1
    reached = Math.max(reached, index)
  }
  return counts
}

/** Whether a message is the beginning of an answer of the script, kept by an interrupted agent. */
export function isCutOff({ lines }: PreparedScript, made: MadeLines, { text, calls }: WireMessage): boolean {
  const begun = text.trim()
  if (begun === '' || calls.length > 0) return begun === '' && calls.length === 0
  return knownLines(lines, made).some((line) => line !== undefined && spokenBy(line).startsWith(begun))
}

/** The id of a call when its line is used again. */
export function callIdInUse(id: string, use: number): string {
  return use === 0 ? id : `${id}_${use + 1}`
}

function knownLines(lines: readonly WireScriptLine[], made: MadeLines): readonly (WireLine | undefined)[] {
  return lines.map((line, index) => (typeof line === 'function' ? made[index] : line))
}

/** Whether the message has the same calls, by id or by content; without calls, the same text. */
function isAnswerOf(line: WireLine, use: number, { text, calls }: WireMessage): boolean {
  const scripted = callsBy(line)
  if (scripted.length === 0) return calls.length === 0 && text !== '' && text.trim() === spokenBy(line)
  if (scripted.length !== calls.length) return false
  const sameIds = scripted.every(({ id = '' }) => calls.some((call) => call.id === callIdInUse(id, use)))
  return sameIds || scripted.every((call, at) => isSameCall(call, calls[at]))
}

function isSameCall(scripted: ScriptedCall, call: WireCall | undefined): boolean {
  return call?.name === scripted.name && sameJson(textOf(call.input), argumentsText(scripted))
}

function sameJson(one: string, other: string): boolean {
  return one === other || normal(one) === normal(other)
}

/** A JSON text in normal form; any other text unchanged. */
function normal(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text)))
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([key, item]) => [key, sorted(item)])
}

function textOf(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '')
}

function spokenBy(line: WireLine): string {
  return partsOf(line)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('')
    .trim()
}

function callsBy(line: WireLine): readonly ScriptedCall[] {
  return partsOf(line).flatMap((part) => (part.type === 'call' ? [part.call] : []))
}
