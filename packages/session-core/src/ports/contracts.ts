import { Effect, Reach } from '../words/policy.ts'
import { EndStatement } from '../words/judgement.ts'
import { FileIntent, QuestionText, TouchedPath } from '../events/calls.ts'
import { FinishReason } from '../events/model.ts'
import { Cost } from '../words/cost.ts'
import { Usage } from '../words/usage.ts'
import type { BackendEvent } from './backend.ts'
import { AnswerPart, FilePart } from '../words/message.ts'
import { isJsonObject, JsonObject, JsonValue } from '../words/json.ts'
import { LoaderError } from '../words/errors.ts'
import { parseInEnglish } from '../words/parse-in-english.ts'
import { lazyObject, object } from '../words/schema.ts'
import { StoredText } from '../words/stored-text.ts'
import { Todo } from '../words/goal.ts'
import type { PermissionAnswer } from './approver.ts'
import type { Examination, Observation, Tool, ToolResult } from './tool.ts'
import * as z from 'zod/mini'

// Schemas for the values that a program's own tools, stores and backends return. TypeScript checks callers that
// compile; these check all others, and keep invalid values out of the session.

const ExaminationReturned = /* @__PURE__ */ z.discriminatedUnion('valid', [
  /* @__PURE__ */ lazyObject(() => ({ valid: z.literal(false), message: z.string() })),
  /* @__PURE__ */ lazyObject(() => ({
    valid: z.literal(true),
    effect: Effect,
    paths: z.array(TouchedPath),
    hosts: z.optional(z.array(z.string())),
    intent: z.array(FileIntent),
    preview: z.optional(StoredText),
    command: z.optional(z.string()),
    reach: z.optional(Reach),
    why: z.optional(z.string()),
    question: z.optional(QuestionText),
    apart: z.optional(z.literal(true)),
  })),
])

const ResultReturned = /* @__PURE__ */ lazyObject(() => ({
  outcome: z.enum(['ok', 'failed', 'interrupted']),
  text: z.string(),
  files: z.optional(z.array(FilePart)),
  metadata: z.optional(z.record(z.string(), JsonValue)),
  secretsReplaced: z.optional(z.number()),
  statement: z.optional(EndStatement),
  todos: z.optional(z.array(Todo)),
}))

const ObservationReturned = /* @__PURE__ */ lazyObject(() => ({
  files: z.array(object({ path: z.string(), now: z.nullable(z.string()) })),
}))

const PermitReturned = /* @__PURE__ */ lazyObject(() => ({
  permit: z.enum(['allow', 'deny']),
  scope: z.enum(['once', 'session', 'always']),
  extent: z.optional(z.enum(['call', 'kind'])),
  reason: z.optional(z.string()),
}))

const DoneReturned = /* @__PURE__ */ lazyObject(() => ({
  type: z.literal('done'),
  content: z.array(AnswerPart),
  finishReason: FinishReason,
  usage: z.optional(Usage),
  model: z.optional(z.string()),
  cost: z.optional(Cost),
  providerMetadata: z.optional(JsonObject),
}))

const DeltaReturned = /* @__PURE__ */ lazyObject(() => ({ type: z.enum(['text', 'reasoning']), delta: z.string() }))

const OtherEventReturned = /* @__PURE__ */ lazyObject(() => ({ type: z.string() }))

const examinations =
  '{ valid: false, message }, or { valid: true, input, effect, paths, intent } with lists that may be empty'

/** Throws `invalid_port` unless this is what `examine` of a tool must return. */
export function requireExamination(tool: Tool, returned: unknown): asserts returned is Examination<unknown> {
  requireReturned(`examine of the tool ${tool.name}`, ExaminationReturned, returned, examinations)
}

/** Throws `invalid_port` unless this is what `run` of a tool must return. */
export function requireResult(tool: Tool, returned: unknown): asserts returned is ToolResult {
  const wanted = "{ outcome: 'ok' | 'failed' | 'interrupted', text }"
  requireReturned(`run of the tool ${tool.name}`, ResultReturned, returned, wanted)
}

/** Throws `invalid_port` unless this is what `observe` of a tool must return. */
export function requireObservation(tool: Tool, returned: unknown): asserts returned is Observation {
  const wanted = '{ files: [{ path, now }] }, where now is a hash, or null for a file that is not there'
  requireReturned(`observe of the tool ${tool.name}`, ObservationReturned, returned, wanted)
}

/** Throws `invalid_port` unless this is what an approver must return. */
export function requirePermissionAnswer(returned: unknown): asserts returned is PermissionAnswer {
  const wanted = "{ permit: 'allow' | 'deny', scope: 'once' | 'session' | 'always' }"
  requireReturned('decide of the approver', PermitReturned, returned, wanted)
}

/** Throws `invalid_port` unless this is what `askUser` must return: text, or undefined for no answer. */
export function requireWords(returned: unknown): asserts returned is string | undefined {
  requireReturned('askUser', z.optional(z.string()), returned, 'the words of the user, or undefined without an answer')
}

const events = "events such as { type: 'text', delta } that end in one { type: 'done', content, finishReason }"

/** Throws `invalid_port` unless the backend returned something that can be read as a stream. */
export function requireStream(id: string, returned: unknown): asserts returned is AsyncIterable<BackendEvent> {
  if (typeof returned === 'object' && returned !== null && Symbol.asyncIterator in returned) return
  throw invalidPort(
    `stream of the backend ${id} returned ${described(returned)}. It must return an async iterable of ${events}.`,
  )
}

/** Events of unknown types pass: a backend may send more than is shown. */
export function requireBackendEvent(id: string, event: unknown): asserts event is BackendEvent {
  const type = isJsonObject(event) ? event['type'] : undefined
  const isDelta = type === 'text' || type === 'reasoning'
  const schema = type === 'done' ? DoneReturned : isDelta ? DeltaReturned : OtherEventReturned
  const result = parseInEnglish(schema, event)
  if (result.success) return
  throw invalidPort(
    `stream of the backend ${id} gave ${described(event)}${whereIn(result.error)}. It must give ${events}.`,
  )
}

function requireReturned(what: string, schema: z.ZodMiniType, returned: unknown, wanted: string): void {
  const result = parseInEnglish(schema, returned)
  if (result.success) return
  throw invalidPort(`${what} returned ${described(returned)}${whereIn(result.error)}. It must return ${wanted}.`)
}

/** Throws unless a tool has all members that will be used. */
export function requireTool(tool: Tool): void {
  if (typeof tool?.name !== 'string' || tool.name === '') {
    throw invalidPort(`A tool has no name, but ${described(tool?.name)}. Give it one: models call it by that.`)
  }
  const what = `The tool ${tool.name}`
  if (typeof tool.description !== 'string') {
    throw invalidPort(`${what} has no description. Write one: models choose by it.`)
  }
  if (typeof tool.input?.safeParse !== 'function') {
    throw invalidPort(`${what} has no input that can parse arguments. Use a schema of zod 4, such as object({ … }).`)
  }
  requireMethod(what, tool, 'examine', examinations)
  requireMethod(what, tool, 'run', "{ outcome: 'ok' | 'failed' | 'interrupted', text }")
}

/** Throws `invalid_port`, naming what was expected, unless the port has the method. */
export function requireMethod<Port extends object>(
  what: string,
  port: Port,
  method: keyof Port & string,
  wanted: string,
): void {
  if (typeof port?.[method] === 'function') return
  throw invalidPort(`${what} has no function ${method}. Add one that returns ${wanted}.`)
}

/** The error for a port that does not keep its contract. Throw it from wrappers of your own. */
export function invalidPort(message: string, cause?: unknown): LoaderError {
  return new LoaderError('invalid_port', message, cause === undefined ? undefined : { cause })
}

/** The kind of a value, without its content, which may be long or secret. */
function described(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return `an object with ${Object.keys(value).join(', ') || 'nothing in it'}`
  return `a ${typeof value}`
}

function whereIn({ issues: [issue] }: z.core.$ZodError): string {
  if (issue === undefined || issue.path.length === 0) return ''
  return `, whose ${issue.path.join('.')} is wrong (${issue.message})`
}
