import type { Usage } from '@loader/session-core'
import * as z from 'zod'
import { type JsonFields, fieldsOf, isObject } from '../history-faults/check.ts'
import { partsOf } from '../history-faults/gemini.ts'
import { argumentsText } from '../script/answer.ts'
import type { ScriptedPart } from '../script/script.ts'
import { readBody } from './body-faults.ts'
import { estimateTokens } from './estimate.ts'
import { geminiUnknownFields, inCamelCase } from './gemini-fields.ts'
import { geminiWords, sayBodyFault } from './gemini-words.ts'
import type { PartChunk } from './part-chunks.ts'
import type { Frames, Headers, Protocol, Read, Refusal, WireTarget, WireAnswer } from './protocol.ts'
import { sealOf } from './sealed.ts'
import type { WireMessage, WireRequest, WireTool } from './wire-request.ts'

const Content = z.looseObject({ role: z.string().nullish(), parts: z.array(z.looseObject({})).nullish() })

const Function = z.looseObject({
  name: z.string().optional(),
  parameters: z.unknown().optional(),
  parametersJsonSchema: z.unknown().optional(),
})

const Body = z.looseObject({
  contents: z.array(Content).nullish(),
  systemInstruction: Content.nullish(),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(Function).nullish() })).nullish(),
  generationConfig: z
    .looseObject({
      temperature: z.number().min(0).max(2).nullish(),
      maxOutputTokens: z.int().nullish(),
      thinkingConfig: z
        .looseObject({
          includeThoughts: z.boolean().nullish(),
          thinkingBudget: z.int().nullish(),
          thinkingLevel: z.string().nullish(),
        })
        .nullish(),
    })
    .nullish(),
})
type Body = z.infer<typeof Body>

export const gemini: Protocol = {
  ...geminiWords,
  dialect: 'gemini',
  streamType: 'text/event-stream',
  toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  refuseHeaders,
  unknownFields: geminiUnknownFields,
  read,
  whole,
  frames,
  errorFrame: (said) => event(geminiWords.errorBody(said, 0)),
  brokenFrame: (text) => `data: ${text}\r\n\r\n`,
}

function refuseHeaders(headers: Headers): Refusal[] {
  if (headers['x-goog-api-key'] !== undefined || headers['authorization'] !== undefined) return []
  const message =
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other " +
    'form of API consumer identity to call this API.'
  return [{ violation: { rule: 'key', message }, said: { status: 403, message } }]
}

function read(body: unknown, target?: WireTarget): Read {
  const result = readBody(Body, inCamelCase(body))
  if ('faults' in result) return { type: 'refused', refusals: result.faults.map(refusalOf) }
  const contents = (result.read.contents ?? []).map(fieldsOf)
  const { model = '', answer = 'whole' } = target ?? {}
  return { type: 'request', request: requestOf(result.read, contents, model, answer), messages: contents }
}

function refusalOf(fault: Parameters<typeof sayBodyFault>[0]): Refusal {
  const said = sayBodyFault(fault)
  return { violation: { rule: 'schema', message: said.message }, said }
}

function requestOf(
  body: Body,
  contents: readonly JsonFields[],
  model: string,
  answer: WireTarget['answer'],
): WireRequest {
  const { generationConfig, systemInstruction, tools } = body
  const most = generationConfig?.maxOutputTokens
  return {
    protocol: 'gemini',
    model,
    answer,
    system: textOf(systemInstruction ?? {}),
    messages: contents.map(messageOf),
    tools: (tools ?? []).flatMap(({ functionDeclarations }) => (functionDeclarations ?? []).map(toolOf)),
    tokens: estimateTokens(body.contents, systemInstruction, tools),
    ...(typeof most === 'number' && { maxOutputTokens: most }),
    thinking: thinkingOf(generationConfig?.thinkingConfig ?? undefined),
    usage: 'told',
  }
}

interface ThinkingConfig {
  readonly thinkingBudget?: number | null | undefined
  readonly thinkingLevel?: string | null | undefined
}

function thinkingOf(config: ThinkingConfig | undefined): WireRequest['thinking'] {
  if (config?.thinkingBudget === 0) return 'off'
  if (config?.thinkingBudget === -1) return 'adaptive'
  return config?.thinkingBudget || config?.thinkingLevel ? 'on' : 'unsaid'
}

function toolOf({ name = '', parameters, parametersJsonSchema }: z.infer<typeof Function>): WireTool {
  const schema = parametersJsonSchema ?? inSmallTypes(parameters) ?? { type: 'object', properties: {} }
  return { name, schema }
}

/** A schema of Gemini's own writes its types in capitals, if it likes. */
function inSmallTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inSmallTypes)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'type' && typeof value === 'string' ? value.toLowerCase() : inSmallTypes(value),
    ]),
  )
}

function messageOf(content: JsonFields): WireMessage {
  const parts = partsOf(content)
  const results = parts.flatMap(({ functionResponse: result }) => {
    if (!isObject(result)) return []
    const { id, response } = result
    return [{ ...(typeof id === 'string' && { callId: id }), text: resultText(response) }]
  })
  const calls = parts.flatMap(({ functionCall: call }) => {
    if (!isObject(call)) return []
    const { id, name, args = {} } = call
    return [{ ...(typeof id === 'string' && { id }), name: String(name), input: args }]
  })
  return { role: content['role'] === 'model' ? 'assistant' : 'user', text: textOf(content), calls, results }
}

/** What is said, without what is thought. */
function textOf(content: JsonFields): string {
  return partsOf(content)
    .flatMap(({ text, thought }) => (typeof text === 'string' && thought !== true ? [text] : []))
    .join('')
}

/** The keys under which clients put what a tool gave. */
const outputs = ['output', 'content', 'result', 'error'] as const

function resultText(response: unknown): string {
  const fields = fieldsOf(response)
  const key = outputs.find((name) => fields[name] !== undefined)
  const output = key === undefined ? response : fields[key]
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}

const malformed = 'MALFORMED_FUNCTION_CALL'

/** With a reason to finish it is the last piece, which tells the usage. */
function responseOf(answer: WireAnswer, parts: readonly object[], finish?: string): object {
  const { number, request, done } = answer
  const isLast = finish !== undefined
  const candidate = {
    content: { ...(parts.length > 0 && { parts }), role: 'model' },
    ...(isLast && { finishReason: finish }),
    ...(finish === malformed && { finishMessage: `Malformed function call: ${brokenText(answer)}` }),
    index: 0,
  }
  return {
    candidates: [candidate],
    ...(isLast && done.usage && { usageMetadata: usageOf(done.usage) }),
    modelVersion: request.model,
    responseId: `resp_${number}`,
  }
}

/** Gemini has no arguments that are not JSON: instead, its answer says that the model wrote a malformed call. */
function finishOf(answer: WireAnswer): string {
  const isBroken = answer.parts.some((_part, at) => isMalformed(answer, at))
  return isBroken ? malformed : (finishReasons[answer.done.finishReason] ?? 'OTHER')
}

function whole(answer: WireAnswer): { status: number; body: object } {
  const parts = answer.parts.flatMap((_part, at) => wholePart(answer, at))
  return { status: 200, body: responseOf(answer, parts, finishOf(answer)) }
}

function wholePart(answer: WireAnswer, at: number): object[] {
  const part = answer.parts[at]
  switch (part?.type) {
    case 'reasoning':
      return [{ text: part.text, thought: true }]
    case 'call':
      return isMalformed(answer, at) ? [] : [callPart(answer, at)]
    case 'text': {
      const signature = signatureAt(answer.parts, at)
      return [{ text: part.text, ...(signature !== undefined && { thoughtSignature: signature }) }]
    }
    default:
      return []
  }
}

function callPart({ parts, done }: WireAnswer, at: number): object {
  const called = done.content[at]
  const { id, name, input } = called?.type === 'call' ? called.call : { id: '', name: '', input: {} }
  const signature = signatureAt(parts, at)
  return {
    functionCall: { id, name, args: input },
    ...(signature !== undefined && { thoughtSignature: signature }),
  }
}

/** The first call of an answer is signed; without calls its last text is, when something was thought. */
function signatureAt(parts: readonly ScriptedPart[], at: number): string | undefined {
  const firstCall = parts.findIndex(({ type }) => type === 'call')
  const thinks = parts.some(({ type }) => type === 'reasoning')
  const signed = firstCall >= 0 ? firstCall : thinks ? parts.findLastIndex(({ type }) => type === 'text') : -1
  const part = parts[at]
  return part !== undefined && at === signed ? sealOf('gemini', part) : undefined
}

function frames(answer: WireAnswer): Frames {
  const chunks = answer.chunks.map((one) => {
    const parts = piecesOf(answer, one)
    return parts.length === 0 ? '' : event(responseOf(answer, parts))
  })
  // A stream ends with an empty text; the signature of a text comes with it.
  const text = answer.parts.findLastIndex(({ type }) => type === 'text')
  const signature = text < 0 ? undefined : signatureAt(answer.parts, text)
  const last = [{ text: '', ...(signature !== undefined && { thoughtSignature: signature }) }]
  return { opening: '', chunks, closing: event(responseOf(answer, last, finishOf(answer))) }
}

function piecesOf(answer: WireAnswer, { index, part, delta, place }: PartChunk): readonly object[] {
  if (part.type === 'reasoning') return [{ text: delta, thought: true }]
  if (part.type !== 'call') return [{ text: delta }]
  // Calls come whole, and those that follow each other come together.
  const isEnd = place.isLast && answer.parts[index + 1]?.type !== 'call'
  return isEnd ? callsUntil(answer, index) : []
}

function callsUntil(answer: WireAnswer, last: number): readonly object[] {
  const before = answer.parts.slice(0, last).findLastIndex(({ type }) => type !== 'call')
  const places = answer.parts.map((_part, at) => at).slice(before + 1, last + 1)
  return places.flatMap((at) => (isMalformed(answer, at) ? [] : [callPart(answer, at)]))
}

/** What the model wrote. */
function brokenText(answer: WireAnswer): string {
  const part = answer.parts.find((_part, at) => isMalformed(answer, at))
  return part?.type === 'call' ? argumentsText(part.call) : ''
}

function isMalformed({ done }: WireAnswer, at: number): boolean {
  const part = done.content[at]
  return part?.type === 'call' && (part.call.malformed !== undefined || !isObject(part.call.input))
}

const finishReasons: Readonly<Partial<Record<string, string>>> = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
}

function usageOf({ inputTokens = 0, outputTokens = 0, reasoningTokens = 0, cacheReadTokens }: Usage) {
  return {
    promptTokenCount: inputTokens,
    // What was thought is counted beside the others.
    candidatesTokenCount: Math.max(0, outputTokens - reasoningTokens),
    totalTokenCount: inputTokens + outputTokens,
    ...(cacheReadTokens !== undefined && { cachedContentTokenCount: cacheReadTokens }),
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
  }
}

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\r\n\r\n`
}
