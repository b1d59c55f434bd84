import type { Usage } from '@loader/session-core'
import { doneOf, partsOf } from '../script/answer.ts'
import { estimateTokens } from './estimate.ts'
import { partChunks } from './part-chunks.ts'
import type { Protocol, WireAnswer } from './protocol.ts'
import { errorReply, jsonReply, type WireReply, send, type ReplyStep } from './reply.ts'
import type { WireRequest } from './wire-request.ts'
import type { WireLine } from './wire-script.ts'

/** The tokens of a request as the server counted them. */
export interface Counted extends Usage {
  readonly writtenForAnHour?: number
}

/** The reply of a line to one request: the answer in the protocol's format, with all faults of the line. */
export function lineReply(
  line: WireLine,
  request: WireRequest,
  protocol: Protocol,
  number: number,
  counted?: Counted,
): WireReply {
  const parts = partsOf(line)
  const chunks = partChunks(parts, line.chunks)
  const done = doneOf(line, parts, request.model)
  const answer = { number, request, parts, chunks, ...(counted === undefined ? { done } : withUsage(done, counted)) }
  const failed = failedReply(line, answer, protocol)
  if (failed) return failed
  const reply = request.answer === 'stream' ? streamReply(line, answer, protocol) : wholeReply(line, answer, protocol)
  return { ...reply, steps: inWrites(cutAfterBytes(reply.steps, line), line) }
}

/** What the script tells of usage goes before what was counted. */
function withUsage(done: WireAnswer['done'], { writtenForAnHour = 0, ...counted }: Counted) {
  const outputTokens = estimateTokens(done.content)
  const reasoning = done.content.filter(({ type }) => type === 'reasoning')
  const thoughts = reasoning.length === 0 ? {} : { reasoningTokens: estimateTokens(reasoning) }
  return { done: { ...done, usage: { ...counted, outputTokens, ...thoughts, ...done.usage } }, writtenForAnHour }
}

/** The reply to a request that fails before any part of an answer is sent. */
function failedReply({ fault }: WireLine, answer: WireAnswer, protocol: Protocol): WireReply | undefined {
  if (fault?.type !== 'throw') return undefined
  const before = answer.request.answer === 'whole' ? 0 : Math.min(fault.after ?? Infinity, answer.chunks.length)
  if (before > 0) return undefined
  if (breaks(fault.kind)) return { status: 200, headers: {}, steps: [{ type: 'cut' }] }
  return errorReply(protocol, protocol.sayFailure(fault), answer.number, fault.retryAfterMs)
}

function streamReply(line: WireLine, answer: WireAnswer, protocol: Protocol): WireReply {
  const { fault, wire } = line
  const { opening, chunks, closing } = protocol.frames(answer)
  const frames = chunks.slice(0, fault && 'after' in fault ? fault.after : undefined)
  const sent = frames.map((frame, at) => send(at === 0 ? opening + frame : frame))
  if (wire?.fault?.type === 'malformed_event')
    sent.splice(wire.fault.after ?? sent.length, 0, send(protocol.brokenFrame(wire.fault.raw ?? brokenJson)))
  const slowly = fault?.type === 'drip' ? sent.flatMap((step) => [pause(fault.delayMs), step]) : sent
  const ending = endOf(
    line,
    () => [send(chunks.length === 0 ? opening + closing : closing)],
    protocol,
    opening + frames.join(''),
  )
  return {
    status: 200,
    headers: { 'content-type': protocol.streamType, 'cache-control': 'no-cache' },
    steps: [...slowly, ...ending],
  }
}

function wholeReply(line: WireLine, answer: WireAnswer, protocol: Protocol): WireReply {
  const { fault, wire } = line
  const { status, body } = protocol.whole(answer)
  const reply = jsonReply(status, body)
  if (wire?.fault?.type === 'malformed_event') return { ...reply, steps: [send(wire.fault.raw ?? brokenJson)] }
  if (fault?.type === 'drip') return { ...reply, steps: [pause(fault.delayMs), ...reply.steps] }
  if (fault?.type !== 'cut' && fault?.type !== 'stall' && answer.done.finishReason !== 'interrupted') return reply
  // Without chunks, half of the body is sent instead of them.
  const text = JSON.stringify(body)
  const isNothing = answer.chunks.length === 0 || (fault && 'after' in fault && fault.after === 0)
  const half = isNothing ? [] : [send(text.slice(0, Math.ceil(text.length / 2)))]
  return { ...reply, steps: [...half, ...endOf(line, () => [{ type: 'cut' }], protocol, '')] }
}

/** The bytes after the last chunk. */
function endOf(
  { fault, finishReason }: WireLine,
  closing: () => readonly ReplyStep[],
  protocol: Protocol,
  sent: string,
): readonly ReplyStep[] {
  if (finishReason === 'interrupted') return [{ type: 'cut' }]
  switch (fault?.type) {
    case 'throw':
      return breaks(fault.kind) ? [{ type: 'cut' }] : [send(protocol.errorFrame(protocol.sayFailure(fault), sent))]
    case 'stall':
      return [{ type: 'hang' }]
    case 'cut':
      return [{ type: 'cut' }]
    default:
      return closing()
  }
}

const brokenJson = '{"malformed": '

/** Faults in which the server sends no answer of its own. */
function breaks(kind: string): boolean {
  return kind === 'connection' || kind === 'interrupted'
}

function pause(milliseconds: number): ReplyStep {
  return { type: 'wait', milliseconds }
}

function cutAfterBytes(steps: readonly ReplyStep[], { wire }: WireLine): readonly ReplyStep[] {
  if (wire?.fault?.type !== 'cut_bytes') return steps
  let left = wire.fault.after
  const kept: ReplyStep[] = []
  for (const step of steps) {
    if (step.type !== 'send') {
      kept.push(step)
      continue
    }
    kept.push({ type: 'send', bytes: step.bytes.slice(0, left) })
    left -= step.bytes.length
    if (left <= 0) break
  }
  return [...kept, { type: 'cut' }]
}

function inWrites(steps: readonly ReplyStep[], { wire }: WireLine): readonly ReplyStep[] {
  const size = wire?.bytesPerWrite
  if (size === undefined) return steps
  return steps.flatMap((step): ReplyStep[] => {
    if (step.type !== 'send' || step.bytes.length <= size) return [step]
    return Array.from({ length: Math.ceil(step.bytes.length / size) }, (_, at) => ({
      type: 'send',
      bytes: step.bytes.slice(at * size, (at + 1) * size),
    }))
  })
}
