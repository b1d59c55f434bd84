import {
  type EventOf,
  gapsOf,
  isSessionEvent,
  type Message,
  type History,
  tellsOfGap,
  transcript,
  type TranscriptLine,
  turnEnds,
} from '@loader/session-core'
import { backgroundEntry } from './background.ts'
import { childEntry, childTitles } from './children.ts'
import { hooksIn } from './hooks.ts'
import { movesOf } from './moves.ts'
import type { ShowEntry, ShownBackground, ShownCall, ShownMessage } from './schemas/show.ts'
import { textIn, type Texts } from './words/texts.ts'

/** The conversation for people: messages with calls and results, and the ends of turns. */
export function conversationOf(history: History, texts: Texts = new Map()): ShowEntry[] {
  const lines = transcript(history)
  const about = factsOf(history)
  const results = resultsByCall(lines)
  const messages = lines
    .filter(({ message }) => !tellsOfGap(message))
    .filter(({ message }) => message.role !== 'tool' || !isPaired(message, about.called))
    .map((line) => messageEntry(line, { about, results, texts }))
  const standing = new Map(lines.map(({ message, standing: stands }) => [message.id, stands]))
  const ends = turnEnds(history).map(({ turn, seq, at }): ShowEntry => {
    return { kind: 'turn_end', seq, at, standing: standing.get(turn.inputId) ?? 'live', turn }
  })
  return [
    ...messages,
    ...ends,
    ...gapsIn(history),
    ...backgroundIn(history),
    ...childrenIn(history),
    ...hooksIn(history, 'spoken'),
    ...movesOf(history),
  ].toSorted((one, other) => one.seq - other.seq)
}

/** What background commands did, each in its place. */
export function backgroundIn(history: History): ShownBackground[] {
  return history.flatMap((event) => (isSessionEvent(event) ? (backgroundEntry(event) ?? []) : []))
}

/** What child sessions did, each in its place. */
function childrenIn(history: History): ShowEntry[] {
  const titles = childTitles(history)
  return history.flatMap((event) => (isSessionEvent(event) ? (childEntry(event, titles) ?? []) : []))
}

/** The ranges of unreadable events, with what is known about them. */
function gapsIn(history: History): ShowEntry[] {
  return gapsOf(history).map(({ first, last, bytes, before, after }) => {
    const at = (before ?? after)?.at ?? history[0]?.at ?? ''
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

function factsOf(history: History): Facts {
  const examined = new Map<string, EventOf<'call.examined'>>()
  const permits = new Map<string, EventOf<'permission.decided'>>()
  const models = new Map<string, string>()
  const sources = new Map<string, string>()
  const called = new Set<string>()
  for (const event of history) {
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
    content.flatMap((part) => (part.type === type && fileOf(part) === undefined ? [textIn(texts, part.text)] : []))
  const quoted = content.flatMap((part) => {
    const file = fileOf(part)
    return part.type === 'text' && file !== undefined ? [{ file, text: textIn(texts, part.text).trim() }] : []
  })
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
    ...(quoted.length > 0 && { quoted }),
    calls: content.flatMap((part) => (part.type === 'call' ? [callEntry(part.call, context)] : [])),
  }
}

/** The file that a part quotes. */
function fileOf(part: Message['content'][number]): string | undefined {
  return part.type === 'text' ? part.file : undefined
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
    ...(result?.files !== undefined && { files: result.files }),
  }
}
