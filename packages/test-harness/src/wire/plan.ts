import { fieldsOf } from '../history-faults/check.ts'
import type { Dialect } from '../history-faults/rules.ts'
import { answerTo, type Outcome } from './answer-to.ts'
import { estimateTokens } from './estimate.ts'
import { listReply } from './lists.ts'
import { type Position, positionIn } from './position.ts'
import type { PreparedScript } from './prepared-script.ts'
import type { Headers, Violation } from './protocol.ts'
import { noCache, type PromptCache } from './prompt-cache/prompt-cache.ts'
import { protocols } from './protocols.ts'
import { errorReply, jsonReply, type WireReply } from './reply.ts'
import { type Endpoint, routeOf } from './routes.ts'
import { scriptFor } from './script-for.ts'

/** A received HTTP request. */
export interface Incoming {
  readonly method: string
  readonly pathname: string
  readonly headers: Headers
  /** The body; absent when it was not JSON. */
  readonly body: unknown
}

/** The progress of every script. */
export interface ScriptStanding {
  readonly position: Position
  /** The number of requests to its models so far. */
  readonly requests: number
  /** What Anthropic keeps of earlier requests. */
  readonly cache: PromptCache
}

/** What the server does with a request. */
export type ReplyPlan =
  | {
      readonly type: 'chat'
      readonly script: PreparedScript
      readonly dialect: Dialect
      /** The number of the request to the script. */
      readonly number: number
      readonly outcome: Outcome
    }
  | { readonly type: 'other'; readonly script: PreparedScript | undefined; readonly reply: WireReply }
  /** A request for a model that matches no script. */
  | { readonly type: 'stray'; readonly dialect: Dialect; readonly reply: WireReply; readonly violation: Violation }
  | { readonly type: 'journal' | 'stop'; readonly script: PreparedScript | undefined }

export function planOf(
  { method, pathname, headers, body }: Incoming,
  scripts: readonly PreparedScript[],
  standings: ReadonlyMap<string, ScriptStanding>,
  now: number,
): ReplyPlan {
  const names = scripts.map(({ name }) => name)
  const asks = {
    anthropic: headers['anthropic-version'] !== undefined,
    google: headers['x-goog-api-key'] !== undefined,
  }
  const { script: named, endpoint } = routeOf(method, pathname, names, asks)
  if (endpoint.type === 'journal' || endpoint.type === 'stop')
    return { type: endpoint.type, script: scripts.find(({ name }) => name === named) }
  const script = scriptFor(scripts, named, headers)
  if (endpoint.type === 'unknown') return { type: 'other', script, reply: unknownReply(method, pathname) }
  if (script === undefined) return strayPlan(endpoint, names)
  if (endpoint.type !== 'chat') return { type: 'other', script, reply: asideReply(endpoint, script, body) }
  const standing = standings.get(script.name) ?? { position: positionIn(script), requests: 0, cache: noCache }
  const { position, requests, cache } = standing
  const number = requests + 1
  const target = endpoint.target && { target: endpoint.target }
  const outcome = answerTo(
    script,
    position,
    { headers, body, number, cache, now, ...target },
    protocols[endpoint.dialect],
  )
  if (outcome.isAside) return { type: 'other', script, reply: outcome.reply }
  return { type: 'chat', script, dialect: endpoint.dialect, number, outcome }
}

function asideReply(
  endpoint: Exclude<Endpoint, { type: 'chat' | 'journal' | 'stop' | 'unknown' }>,
  script: PreparedScript,
  body: unknown,
): WireReply {
  if (endpoint.type !== 'count') return listReply(endpoint, script, body)
  if (endpoint.dialect === 'gemini') {
    const { contents, generateContentRequest } = fieldsOf(body)
    return jsonReply(200, { totalTokens: estimateTokens(contents, generateContentRequest) })
  }
  const { messages, system, tools } = fieldsOf(body)
  return jsonReply(200, { input_tokens: estimateTokens(messages, system, tools) })
}

function strayPlan({ type, dialect }: Extract<Endpoint, { dialect: Dialect }>, names: readonly string[]): ReplyPlan {
  const protocol = protocols[dialect]
  const reply = errorReply(protocol, protocol.sayKey(), 0)
  if (type !== 'chat') return { type: 'other', script: undefined, reply }
  const violation: Violation = {
    rule: 'key',
    message: `no script has this key; the paths of the scripts are ${names.map((name) => `/${name}`).join(', ')}`,
  }
  return { type: 'stray', dialect, reply, violation }
}

function unknownReply(method: string, pathname: string): WireReply {
  const message =
    `This server has no ${method} ${pathname}. It has POST /v1/chat/completions and /v1/responses (OpenAI), ` +
    '/v1/messages (Anthropic), /v1beta/models/<model>:generateContent and :streamGenerateContent (Gemini), /api/chat ' +
    '(Ollama), what lists models there, GET /__journal and POST /__stop.'
  return jsonReply(404, { error: { message, type: 'invalid_request_error', param: null, code: 'unknown_url' } })
}
