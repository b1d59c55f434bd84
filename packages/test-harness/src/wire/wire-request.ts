import type { Dialect } from '../history-faults/rules.ts'

/** A request as every protocol means it. */
export interface WireRequest {
  readonly protocol: Dialect
  readonly model: string
  readonly answer: 'stream' | 'whole'
  /** All instructions. */
  readonly system: string
  /** The conversation without the instructions. */
  readonly messages: readonly WireMessage[]
  readonly tools: readonly WireTool[]
  /** The size of messages, instructions and tools, estimated. */
  readonly tokens: number
  readonly maxOutputTokens?: number
  /** The window that the request asks for, where it may. */
  readonly window?: number
  /** `adaptive`: as the model likes, so that no turn has to begin with it. */
  readonly thinking: 'on' | 'adaptive' | 'off' | 'unsaid'
  /** Whether the answer tells its usage. */
  readonly usage: 'told' | 'untold'
  /** Whether the provider is to keep what was said; absent where it never does. */
  readonly keeps?: 'history' | 'nothing'
  /** Whether the answer brings its thinking sealed, to be sent back. */
  readonly sealsThinking?: boolean
}

/** A message of a request, the same for every protocol. */
export interface WireMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
  readonly calls: readonly WireCall[]
  readonly results: readonly WireResult[]
}

/** A tool call in a request, the same for every protocol. */
export interface WireCall {
  readonly id?: string
  readonly name: string
  readonly input: unknown
}

/** The result of a tool in a request, the same for every protocol. */
export interface WireResult {
  /** Absent where the protocol has none. */
  readonly callId?: string
  readonly text: string
}

/** A tool that a request offers, the same for every protocol. */
export interface WireTool {
  readonly name: string
  readonly schema: unknown
}

/** The results that came in since the last answer. */
export function lastResults({ messages }: WireRequest): readonly WireResult[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(last + 1).flatMap(({ results }) => results)
}

export function lastUserText({ messages }: WireRequest): string | undefined {
  return messages.findLast(isUserText)?.text
}

export function firstUserText({ messages }: WireRequest): string | undefined {
  return messages.find(isUserText)?.text
}

function isUserText({ role, text }: WireMessage): boolean {
  return role === 'user' && text !== ''
}
