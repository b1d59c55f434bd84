import { excerptOf } from '@loader/session-core'
import { messageOf } from '../crash-matrix/stage.ts'
import { answerAboutEnd } from '../script/how-it-ended.ts'
import type { ScriptedCall } from '../script/script.ts'
import { lineReply } from './line-reply.ts'
import { afterAsking, type ScriptPlace, placeOf, type Position } from './position.ts'
import { madeLine, type PreparedScript } from './prepared-script.ts'
import type { Headers, Protocol, Read, Refusal, WireTarget, Violation } from './protocol.ts'
import { type PromptCache, throughCache } from './prompt-cache/prompt-cache.ts'
import { callIdInUse } from './recognize.ts'
import { refusalsOf } from './refusals.ts'
import { errorReply, jsonReply, type WireReply } from './reply.ts'
import { lastResults, lastUserText, type WireRequest } from './wire-request.ts'
import type { WireLine } from './wire-script.ts'

export interface Received {
  readonly headers: Headers
  /** Undefined when the text is not JSON. */
  readonly body: unknown
  /** The model and mode in the path, for protocols that put them there. */
  readonly target?: WireTarget
  /** The number of the request to this script. */
  readonly number: number
  /** What Anthropic keeps of earlier requests, and the time in milliseconds. */
  readonly cache: PromptCache
  readonly now: number
}

/** The answer to a request, and the new position in the script. */
export interface Outcome {
  readonly reply: WireReply
  readonly position: Position
  /** What is kept behind this request, if that is something else. */
  readonly cache?: PromptCache
  readonly request?: WireRequest
  /** The line that answers. */
  readonly line?: { readonly index: number; readonly completion: WireLine }
  readonly violations: readonly Violation[]
  /** What is wrong with the script, or that it was asked too often. */
  readonly problem?: string
  /** The request asked how a turn ended, which uses no line. */
  readonly isAside?: true
}

function aboutEnd({ messages, tools }: WireRequest, { number }: Received) {
  const last = messages.at(-1)
  const lastText = last?.role === 'user' ? last.text : ''
  return { lastText, tools: tools.map(({ name }) => name), id: `call_end_${number}_${messages.length}` }
}

/** The whole server except its sockets: the same position and request give the same outcome. */
export function answerTo(script: PreparedScript, position: Position, received: Received, protocol: Protocol): Outcome {
  const read = readOf(received, script, protocol)
  if (read.type === 'refused') return refused(read.refusals, position, received, protocol)
  if (read.type === 'aside') return { reply: jsonReply(200, read.body), position, violations: [] }
  const { request } = read
  const refusals = refusalsOf({ ...read, ...received }, script, protocol)
  if (refusals.length > 0) return { ...refused(refusals, position, received, protocol), request }
  const place = placeOf(script, position, request)
  const aside = answerAboutEnd(aboutEnd(request, received), place && script.lines[place.index])
  if (aside !== undefined) {
    return { reply: lineReply(aside, request, protocol, received.number), position, violations: [], isAside: true }
  }
  if (place === undefined) return tooMany(script, position, request, received, protocol)
  return answered(script, afterAsking(position, request, place), request, place, received, protocol)
}

function readOf({ headers, body, target }: Received, { rules }: PreparedScript, protocol: Protocol): Read {
  const refusals = protocol
    .refuseHeaders(headers)
    .filter(({ violation }) => violation && rules[violation.rule] !== 'off')
  if (refusals.length > 0) return { type: 'refused', refusals }
  if (body !== undefined) return protocol.read(body, target)
  const said = protocol.sayNotJson()
  return { type: 'refused', refusals: [{ violation: { rule: 'json', message: said.message }, said }] }
}

function refused(refusals: readonly Refusal[], position: Position, { number }: Received, protocol: Protocol): Outcome {
  const [first] = refusals
  if (first === undefined) throw new Error('A refusal without a reason.')
  return {
    reply: errorReply(protocol, first.said, number),
    position,
    violations: refusals.flatMap(({ violation }) => violation ?? []),
  }
}

function answered(
  script: PreparedScript,
  position: Position,
  request: WireRequest,
  { index, use }: ScriptPlace,
  received: Received,
  protocol: Protocol,
): Outcome {
  const { number } = received
  const line = script.lines[index]
  const made = typeof line === 'function' ? madeBy(line, request, index + 1) : { line }
  if (made.line === undefined) return broken(made.problem ?? 'The line is gone.', position, request, number, protocol)
  const completion = inUse(made.line, use)
  const { counted, cache } = script.usage === 'counted' ? counting(request, received) : {}
  return {
    ...(cache && { cache }),
    reply: lineReply(completion, request, protocol, number, counted),
    position: typeof line === 'function' ? { ...position, made: { ...position.made, [index]: made.line } } : position,
    request,
    line: { index, completion },
    violations: [],
  }
}

/** The size of a request. At Anthropic's, what was marked in earlier requests is read. */
function counting({ protocol, model, tokens }: WireRequest, { body, cache, now }: Received) {
  if (protocol !== 'anthropic') return { counted: { inputTokens: tokens } }
  const through = throughCache(cache, body, { model, now })
  const { read, written, writtenForAnHour, total } = through.count
  const usage = { inputTokens: total, cacheReadTokens: read, cacheWriteTokens: written + writtenForAnHour }
  return { counted: { ...usage, writtenForAnHour }, cache: through.cache }
}

interface Made {
  readonly line?: WireLine | undefined
  readonly problem?: string
}

/** Whatever the function throws, such as an assertion error, is reported to the test that wrote it. */
function madeBy(make: (request: WireRequest, number: number) => WireLine, request: WireRequest, number: number): Made {
  try {
    return { line: madeLine(make(request, number), number) }
  } catch (error) {
    return { problem: `The function of line ${number} failed: ${messageOf(error)}` }
  }
}

/** Gives the calls of a repeated line new ids, so that no two uses share one. */
function inUse(line: WireLine, use: number): WireLine {
  if (use === 0) return line
  const again = (call: ScriptedCall): ScriptedCall => ({ ...call, id: callIdInUse(call.id ?? '', use) })
  return {
    ...line,
    ...(line.calls && { calls: line.calls.map(again) }),
    ...(line.content && {
      content: line.content.map((part) => (part.type === 'call' ? { ...part, call: again(part.call) } : part)),
    }),
  }
}

function tooMany(
  { lines }: PreparedScript,
  position: Position,
  request: WireRequest,
  { number }: Received,
  protocol: Protocol,
): Outcome {
  const waiting = lines.filter((line) => typeof line !== 'function' && line.when !== undefined).length
  const problem =
    `Request ${number} has no line: the script has ${lines.length}` +
    `${waiting > 0 ? `, and no condition of ${waiting} of them fits` : ''}. The request ends with ${endOf(request)}.`
  return broken(problem, position, request, number, protocol)
}

function broken(
  problem: string,
  position: Position,
  request: WireRequest,
  number: number,
  protocol: Protocol,
): Outcome {
  const said = { status: 400, message: problem, code: 'no_line' }
  return { reply: errorReply(protocol, said, number), position, request, violations: [], problem }
}

/** The author of the last message, to see where an agent left the script. */
function endOf(request: WireRequest): string {
  const result = lastResults(request).at(-1)
  if (result) return `the result ${quote(result.text)}`
  const text = lastUserText(request)
  return text === undefined ? 'no words of the user' : `the words of the user ${quote(text)}`
}

function quote(text: string): string {
  return JSON.stringify(excerptOf(text, 60))
}
