import { summaryRequest } from '@loader/compaction'
import {
  type CallPart,
  type JsonValue,
  type Message,
  type ModelRequest,
  type Part,
  type SessionState,
  type StoredText,
} from '@loader/session-core'
import type { Tool } from '@loader/session-core/coding'
import { askUserToolName } from '@loader/workflow'
import { describeTools, toolsOf } from '../calls/tool-descriptions.ts'
import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'
import { briefPrompt } from './brief-prompt.ts'
import { clarifyPrompt } from './clarify-prompt.ts'
import { inWords } from './in-words.ts'
import { planPrompt } from './plan-prompt.ts'

/** The request for the backend, with every long text in full. Pure except for reading those texts. */
export async function requestFor(move: MoveOf<'ask_model'>, requestId: string, stage: Stage): Promise<ModelRequest> {
  const { session } = stage
  const request = { requestId, purpose: move.purpose, ...(await bodyFor(move, stage)) }
  const unread = request.messages.filter((message) => !whole.has(message))
  await Promise.all(unread.map(async (message) => whole.set(message, await inFull(message, session))))
  return { ...request, messages: request.messages.map((message) => whole.get(message) ?? message) }
}

/**
 * Messages as they are sent. A message must always be sent as the same object, because backends cache by identity; this
 * also reads each long text once.
 */
const whole = new WeakMap<Message, Message>()

async function bodyFor(
  move: MoveOf<'ask_model'>,
  { session, tools, instructions }: Stage,
): Promise<Omit<ModelRequest, 'requestId' | 'purpose'>> {
  const { state } = session
  switch (move.purpose) {
    case 'answer': {
      const system = await session.readText(state.prompts.at(-1)?.text ?? '')
      const { temperature, maxOutputTokens } = state.policy?.limits ?? {}
      return {
        system,
        ...said(state, toolsOf(state, tools)),
        ...(temperature !== undefined && { temperature }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      }
    }
    case 'clarify': {
      const asking = tools.filter(({ name }) => name === askUserToolName)
      return { system: clarifyPrompt(state), ...said(state, asking), temperature: 0.2, maxOutputTokens: 500 }
    }
    case 'brief':
      return { system: briefPrompt(state), ...said(state, []), temperature: 0.2, maxOutputTokens: 700 }
    case 'plan':
      return { system: planPrompt(state), ...said(state, []), temperature: 0.2, maxOutputTokens: 1400 }
    case 'summary':
      return summaryRequest(state, move.plan, instructions === undefined ? {} : { instructions })
    default:
      return move satisfies never
  }
}

/**
 * A request without tools states calls as text: providers refuse calls in its messages, and some models cannot make
 * any.
 */
function said(state: SessionState, tools: readonly Tool[]): Pick<ModelRequest, 'messages' | 'tools'> {
  const window = state.messages.toArray()
  const native = state.policy?.model?.nativeTools ?? true
  if (!native || tools.length === 0) return { messages: inWords(window), tools: [] }
  return { messages: window, tools: describeTools(tools) }
}

async function inFull(message: Message, session: Stage['session']): Promise<Message> {
  if (!needsMending(message)) return message
  return { ...message, content: await Promise.all(message.content.map((part) => partInFull(part, session))) }
}

function needsMending({ content }: Message): boolean {
  return content.some((part) => isLong(part) || isUnsayable(part))
}

async function partInFull(part: Part, session: Stage['session']): Promise<Part> {
  if (isLong(part)) return { ...part, text: await session.readText(part.text) }
  return isUnsayable(part) ? sayable(part) : part
}

function isLong(part: Part): part is Extract<Part, { readonly text: StoredText }> {
  return 'text' in part && typeof part.text !== 'string'
}

/** Arguments that are not an object; sent unchanged, they would make providers refuse every later request. */
function isUnsayable(part: Part): part is CallPart {
  return part.type === 'call' && (part.call.malformed !== undefined || !isObject(part.call.input))
}

/** The original arguments are quoted in the result of the call. */
function sayable({ call: { malformed, input, ...call }, ...part }: CallPart): CallPart {
  const said = malformed === undefined && !isObject(input) ? { arguments: input } : {}
  return { ...part, call: { ...call, input: said } }
}

function isObject(input: JsonValue): boolean {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}
