import {
  type EventOf,
  gapsOf,
  isSessionEvent,
  type Message,
  type Recording,
  tellsOfGap,
  transcript,
  type TranscriptLine,
  turnEnds,
} from '@loader/session-core'
import type { ShowEntry, ShownCall, ShownMessage } from './schemas/show.ts'
import { textIn, type Texts } from './words/texts.ts'

/** The conversation for people: messages with calls and results, and the ends of turns. */
export function conversationOf(recording: Recording, texts: Texts = new Map()): ShowEntry[] {
  const lines = transcript(recording)
  const about = factsOf(recording)
  const results = resultsByCall(lines)
  const messages = lines
    .filter(({ message }) => !tellsOfGap(message))
    .filter(({ message }) => message.role !== 'tool' || !isPaired(message, about.called))
    .map((line) => messageEntry(line, { about, results, texts }))
  const standing = new Map(lines.map(({ message, standing: stands }) => [message.id, stands]))
  const ends = turnEnds(recording).map(({ turn, seq, at }): ShowEntry => {
    return { kind: 'turn_end', seq, at, standing: standing.get(turn.inputId) ?? 'live', turn }
  })
  return [...messages, ...ends, ...gapsIn(recording)].toSorted((one, other) => one.seq - other.seq)
}

/** The ranges of unreadable events, with what is known about them. */
function gapsIn(recording: Recording): ShowEntry[] {
  return gapsOf(recording).map(({ first, last, bytes, before, after }) => {
    const at = (before ?? after)?.at ?? recording[0]?.at ?? ''
    return { kind: 'gap', seq: first, at, standing: 'live', last, bytes, before, after }
  })
}

interface Facts {
  readonly examined: ReadonlyMap<string, EventOf<'call.examined'>>
  readonly permits: ReadonlyMap<string, EventOf<'permission.decided'>>
  readonly models: ReadonlyMap<string, string>
  /** The sources of inputs. */
  readonly sources: ReadonlyMap<string, string>
  readonly called: ReadonlySet<string>
}

function factsOf(recording: Recording): Facts {
  const examined = new Map<string, EventOf<'call.examined'>>()
  const permits = new Map<string, EventOf<'permission.decided'>>()
  const models = new Map<string, string>()
  const sources = new Map<string, string>()
  const called = new Set<string>()
  for (const event of recording) {
    if (!isSessionEvent(event)) continue
    if (event.type === 'call.examined') examined.set(event.callId, event)
    if (event.type === 'input.queued' && event.source !== undefined) sources.set(event.inputId, event.source)
    if (event.type === 'permission.decided') permits.set(event.callId, event)
    if (event.type === 'model.answered' && event.model !== undefined) models.set(event.requestId, event.model)
    if (event.type === 'model.answered') {
      for (const part of event.content) if (part.type === 'call') called.add(part.call.id)
    }
    if (event.type === 'calls.recovered') for (const { id } of event.calls) called.add(id)
    if (event.type === 'session.imported') {
      for (const { content } of event.messages) {
        for (const part of content) if (part.type === 'call') called.add(part.call.id)
      }
    }
  }
  return { examined, permits, models, sources, called }
}

type Result = Extract<Message['content'][number], { type: 'result' }>

function resultsByCall(lines: readonly TranscriptLine[]): ReadonlyMap<string, Result> {
  return new Map(
    lines.flatMap(({ message }) =>
      message.content.flatMap((part) => (part.type === 'result' ? [[part.callId, part] as const] : [])),
    ),
  )
}

/** Whether a result is shown with its call; a result without a call is shown by itself. */
function isPaired({ content }: Message, called: ReadonlySet<string>): boolean {
  return content.every((part) => part.type !== 'result' || called.has(part.callId))
}

interface Context {
  readonly about: Facts
  readonly results: ReadonlyMap<string, Result>
  readonly texts: Texts
}

function messageEntry({ message, seq, standing }: TranscriptLine, context: Context): ShownMessage {
  const { id, at, role, origin, content, interrupted = false } = message
  const { about, texts } = context
  const model = about.models.get(id)
  const source = about.sources.get(id)
  const said = (type: 'text' | 'reasoning') =>
    content.flatMap((part) => (part.type === type ? [textIn(texts, part.text)] : []))
  const loose = content.flatMap((part) => (part.type === 'result' ? [textIn(texts, part.text)] : []))
  return {
    kind: 'message',
    seq,
    at,
    id,
    role,
    origin,
    ...(source !== undefined && { source }),
    standing,
    interrupted,
    ...(model !== undefined && { model }),
    text: [...said('text'), ...loose].join('\n\n'),
    reasoning: said('reasoning').join('\n\n'),
    files: content.flatMap((part) => (part.type === 'file' ? [part] : [])),
    calls: content.flatMap((part) => (part.type === 'call' ? [callEntry(part.call, context)] : [])),
  }
}

function callEntry(
  { id, name, input, malformed }: Extract<Message['content'][number], { type: 'call' }>['call'],
  { about, results, texts }: Context,
): ShownCall {
  const examined = about.examined.get(id)
  const permit = about.permits.get(id)
  const result = results.get(id)
  return {
    id,
    name,
    input: malformed ?? input,
    effect: examined?.effect ?? null,
    ...(examined?.command !== undefined && { command: examined.command }),
    ...(examined?.preview !== undefined && { preview: textIn(texts, examined.preview) }),
    permit: permit?.permit ?? null,
    ...(permit !== undefined && { permittedBy: permit.by }),
    ...(permit?.reason !== undefined && { reason: permit.reason }),
    outcome: result?.outcome ?? null,
    result: result === undefined ? null : textIn(texts, result.text),
  }
}
