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
import { filesLeftOut, type LeftOut } from '../files/files-left-out.ts'
import { withFiles } from '../files/with-files.ts'
import { describeTools, toolsOf } from '../calls/tool-descriptions.ts'
import type { StepOf } from '../stage/step-of.ts'
import type { Stage } from '../stage/stage.ts'
import { briefPrompt } from './brief-prompt.ts'
import { clarifyPrompt } from './clarify-prompt.ts'
import { inWords } from './in-words.ts'
import { planPrompt } from './plan-prompt.ts'
import { thinkingFor } from './thinking-for.ts'

/** The request for the backend, with every long text in full. Pure except for reading those texts. */
export async function requestFor(step: StepOf<'ask_model'>, requestId: string, stage: Stage): Promise<ModelRequest> {
  const { session } = stage
  const { purpose } = step
  const thinking = thinkingFor(session.state, purpose)
  const request = { requestId, sessionId: session.id, purpose, ...(await bodyFor(step, stage)), ...thinking }
  const leftOut = filesLeftOut(request.messages, session.state.policy?.model ?? {})
  sayLeftOut(leftOut, stage)
  const messages = [...request.messages]
  // Most were sent before, so that only the new ones are waited for.
  const unread: Promise<unknown>[] = []
  for (const [at, message] of request.messages.entries()) {
    const left = leftOut.get(message)
    const before = sentBefore(message, left)
    if (before !== undefined) messages[at] = before
    else unread.push(asSent(message, left ?? none, session).then((sent) => (messages[at] = sent)))
  }
  await Promise.all(unread)
  return { ...request, messages }
}

/**
 * Messages as they are sent, by what of their files is left out. A message must always be sent as the same object,
 * because backends cache by identity; this also reads each long text once.
 */
const whole = new WeakMap<Message, { readonly leftOut: string; readonly sent: Message }>()
const none: LeftOut = []

function sentBefore(message: Message, leftOut: LeftOut = none): Message | undefined {
  const known = whole.get(message)
  return known?.leftOut === (leftOut.length === 0 ? '' : JSON.stringify(leftOut)) ? known.sent : undefined
}

async function asSent(message: Message, leftOut: LeftOut, session: Stage['session']): Promise<Message> {
  const full = await inFull(message, session)
  const sent = leftOut.length === 0 ? full : await withFiles(full, leftOut, (text) => session.readText(text))
  // Another form is needed again only when the model changes back, and images are large: one is kept.
  whole.set(message, { leftOut: leftOut.length === 0 ? '' : JSON.stringify(leftOut), sent })
  return sent
}

const said = new WeakMap<Stage['session'], string>()

/** Says which files the model does not get, once for as long as they are the same. */
function sayLeftOut(leftOut: ReadonlyMap<Message, LeftOut>, { session, show }: Stage): void {
  const counts = new Map<string, number>()
  for (const why of [...leftOut.values()].flat()) {
    if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1)
  }
  const message = [...counts].map(([why, count]) => `Files that are not sent: ${count}; ${why}.`).join(' ')
  if (message === (said.get(session) ?? '')) return
  said.set(session, message)
  if (message !== '') show({ type: 'delta.status', message })
}

async function bodyFor(
  step: StepOf<'ask_model'>,
  { session, tools, instructions }: Stage,
): Promise<Omit<ModelRequest, 'requestId' | 'purpose'>> {
  const { state } = session
  switch (step.purpose) {
    case 'answer': {
      const system = await session.readText(state.prompts.at(-1)?.text ?? '')
      const { temperature, maxOutputTokens } = state.policy?.limits ?? {}
      return {
        system,
        ...spoken(state, toolsOf(state, tools)),
        ...(temperature !== undefined && { temperature }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      }
    }
    case 'clarify': {
      const asking = tools.filter(({ name }) => name === askUserToolName)
      return { system: clarifyPrompt(state), ...spoken(state, asking), temperature: 0.2, maxOutputTokens: 500 }
    }
    case 'brief':
      return { system: briefPrompt(state), ...spoken(state, []), temperature: 0.2, maxOutputTokens: 700 }
    case 'plan':
      return { system: planPrompt(state), ...spoken(state, []), temperature: 0.2, maxOutputTokens: 1400 }
    case 'summary':
      return summaryRequest(state, step.plan, instructions === undefined ? {} : { instructions })
    default:
      return step satisfies never
  }
}

/**
 * A request without tools states calls as text: providers refuse calls in its messages, and some models cannot make
 * any.
 */
function spoken(state: SessionState, tools: readonly Tool[]): Pick<ModelRequest, 'messages' | 'tools'> {
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
