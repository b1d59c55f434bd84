import {
  type AnswerPart,
  type EventOf,
  isSessionEvent,
  type History,
  readSession,
  type SessionStore,
  type StoredText,
} from '@loader/session-core'
import { effectsOf, type RecordedEffect } from '../recording/recorded-effects.ts'
import { endedRequests, type EndedRequest } from './ended-requests.ts'
import type { Completion, ScriptedCall, ScriptedPart } from './script.ts'

/** A stored session as a test: the model's answers, and the effects that must follow. */
export interface RecordedScript {
  readonly lines: readonly Completion[]
  readonly effects: readonly RecordedEffect[]
}

/**
 * The model answers of a history as a script. Failed answers fail again, and interrupted ones are interrupted after
 * the same text. Texts that the session keeps as blobs are passed in by name; `scriptFromSession` does so.
 */
export function scriptFromHistory(history: History, blobs: ReadonlyMap<string, string> = new Map()): RecordedScript {
  const lines = endedRequests(history).map((request) => lineOf(request, (text) => wholeText(text, blobs)))
  return { lines, effects: effectsOf(history) }
}

/** The same for a session in a store, with its long texts. */
export async function scriptFromSession(store: SessionStore, id: string): Promise<RecordedScript> {
  const { history } = await readSession(store, id)
  const blobs = new Map<string, string>()
  for (const blob of blobsIn(history)) blobs.set(blob, await store.readBlob(id, blob))
  return scriptFromHistory(history, blobs)
}

function lineOf({ end, text, reasoning }: EndedRequest, whole: (text: StoredText) => string): Completion {
  const arrived = { ...(text !== '' && { text }), ...(reasoning !== '' && { reasoning }) }
  switch (end.type) {
    case 'model.answered':
      return answerLine(end, whole)
    case 'model.failed': {
      const { kind, message, status, retryAfterMs } = end.error
      const response = { ...(status !== undefined && { status }), ...(retryAfterMs !== undefined && { retryAfterMs }) }
      return { ...arrived, fault: { type: 'throw', kind, message, ...response } }
    }
    case 'model.interrupted':
      return { ...arrived, fault: { type: 'cut' } }
    default:
      return end satisfies never
  }
}

function answerLine(
  { content, finishReason, usage }: EventOf<'model.answered'>,
  whole: (text: StoredText) => string,
): Completion {
  const parts = content.map((part) => scriptedPart(part, whole))
  const usual = parts.some(({ type }) => type === 'call') ? 'tool-calls' : 'stop'
  return { ...inShort(parts), ...(usage && { usage }), ...(finishReason !== usual && { finishReason }) }
}

/** The short notation for a line, where it loses no detail. */
function inShort(parts: readonly ScriptedPart[]): Completion {
  const kinds = parts.map(({ type }) => type).join(' ')
  const plain = parts.every((part) => !('providerMetadata' in part))
  if (!plain || !/^(reasoning ?)?(text ?)?(call ?)*$/.test(kinds)) return { content: parts }
  const textOf = (wanted: 'text' | 'reasoning') => parts.flatMap((part) => (part.type === wanted ? [part.text] : []))[0]
  const calls = parts.flatMap((part) => (part.type === 'call' ? [part.call] : []))
  const [text, reasoning] = [textOf('text'), textOf('reasoning')]
  return {
    ...(reasoning !== undefined && { reasoning }),
    ...(text !== undefined && { text }),
    ...(calls.length > 0 && { calls }),
  }
}

function scriptedPart(part: AnswerPart, whole: (text: StoredText) => string): ScriptedPart {
  const { providerMetadata } = part
  const opaque = providerMetadata && { providerMetadata }
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: whole(part.text), ...opaque }
    case 'call': {
      const { id, providerId = id, name, input, malformed } = part.call
      const call: ScriptedCall = malformed === undefined ? { name, input } : { name, raw: malformed }
      return { type: 'call', call: { ...call, id: providerId }, ...opaque }
    }
    case 'file': {
      const { source } = part
      return source.kind === 'base64' ? { ...part, source: { kind: 'base64', data: whole(source.data) } } : part
    }
    default:
      return part satisfies never
  }
}

function wholeText(text: StoredText, blobs: ReadonlyMap<string, string>): string {
  if (typeof text === 'string') return text
  const whole = blobs.get(text.blob)
  if (whole !== undefined) return whole
  throw new Error(
    `An answer has the long text ${text.blob}, which is not among the blobs. ` +
      'Pass its text in the second argument, or use scriptFromSession(store, id).',
  )
}

function blobsIn(history: History): Set<string> {
  const texts = history.flatMap((event) =>
    isSessionEvent(event) && event.type === 'model.answered' ? event.content.flatMap(storedText) : [],
  )
  return new Set(texts.flatMap((text) => (typeof text === 'string' ? [] : [text.blob])))
}

function storedText(part: AnswerPart): StoredText[] {
  if (part.type === 'text' || part.type === 'reasoning') return [part.text]
  return part.type === 'file' && part.source.kind === 'base64' ? [part.source.data] : []
}
