import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fold, parseEvent, type SessionState, type StoredEvent } from '@loader/session-core'
import { randomTexts } from './grammar.ts'
import { longPayloads, payloads } from './payloads.ts'

/** A session of which every text that a model, a tool, a file or a person could have written is hostile. */
export interface Transcript {
  readonly id: string
  /** What its title contains, so that a test sees that it is shown. */
  readonly mark: string
  readonly events: readonly StoredEvent[]
}

/** A session that was recorded: two turns, calls, checks, a question, a plan, and a crash. */
const recorded = readFileSync(join(import.meta.dirname, '../fixtures/worked.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => parseEvent(JSON.parse(line)))

type Path = readonly (string | number)[]

/** Every text of the recorded session that may be any text, by event: found by trying. */
const places: readonly (readonly Path[])[] = recorded.map((event) =>
  textsIn(event, []).filter((path) => isEvent(withText(event, path, 'any text, <b>of</b> any kind'))),
)

/** The transcript of this number; each has other texts in other places. */
export function transcript(number: number): Transcript {
  return transcriptOf(payloads, number)
}

/** One of texts that are made at random. */
export function randomTranscript(seed: number): Transcript {
  return transcriptOf(randomTexts(seed, 150), seed)
}

function transcriptOf(texts: readonly string[], number: number): Transcript {
  const id = `ses_hostile${String(number).padStart(8, '0')}`
  const mark = `mark-${number}-mark`
  let turn = number
  const next = () => texts[turn++ % texts.length] ?? ''
  const events = recorded.map((event, index) => {
    const hostile = (places[index] ?? []).reduce<StoredEvent>((one, path) => withText(one, path, next()), event)
    return isEvent(hostile) ? hostile : event
  })
  const named = events.map((event) => {
    if (event.type === 'session.opened') return { ...event, id, title: `${mark} ${next()}` }
    if (event.type === 'input.queued') return { ...event, text: `${next()}\n\n${next()}` }
    return withLongText(withStrangeKeys(event, next), number)
  })
  return { id, mark, events: foldable(named.map((event) => parseEvent(event))) ?? withRecordedAnswers(named) }
}

/** A model may name the arguments of its calls as it likes. */
function withStrangeKeys(event: StoredEvent, next: () => string): StoredEvent {
  if (event.type !== 'model.answered') return event
  const { content } = event as StoredEvent & { content: readonly { type: string; call?: { input: object } }[] }
  const strange = content.map((part) => {
    if (part.type !== 'call' || part.call === undefined) return part
    const input = {
      ...part.call.input,
      [next()]: next(),
      ['__proto__']: { polluted: next() },
      dangerouslySetInnerHTML: { __html: next() },
    }
    return { ...part, call: { ...part.call, input } }
  })
  const hostile = { ...event, content: strange }
  return isEvent(hostile) ? hostile : event
}

/** One long text in one of the answers. */
function withLongText(event: StoredEvent, number: number): StoredEvent {
  if (event.type !== 'model.answered' || event.seq % 7 !== number % 7) return event
  const text = longPayloads[number % longPayloads.length] ?? ''
  const { content } = event as StoredEvent & { content: readonly { type: string }[] }
  const hostile = { ...event, content: [{ type: 'text', text }, ...content.filter(({ type }) => type !== 'text')] }
  return isEvent(hostile) ? hostile : event
}

/** The same events, with the recorded one in the place of each that cannot follow those before it; undefined where neither can. */
function foldable(events: readonly StoredEvent[]): readonly StoredEvent[] | undefined {
  let state: SessionState | null = null
  const next = (event: StoredEvent) => {
    try {
      state = fold([event], state)
      return event
    } catch {
      return undefined
    }
  }
  const kept = events.map((event, index) => next(event) ?? next(recorded[index] as StoredEvent))
  return kept.every((event) => event !== undefined) ? kept : undefined
}

/** An answer of nothing but white space is no message, and what refers to it cannot follow. */
function withRecordedAnswers(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const plain = events.map((event, index) => (event.type === 'model.answered' ? (recorded[index] ?? event) : event))
  const kept = foldable(plain)
  if (kept === undefined) throw new Error('This transcript is no history.')
  return kept
}

/** Where texts are. Names that events refer to each other by stay, since a history in which they do not fit is refused. */
function textsIn(value: unknown, path: Path): Path[] {
  if (typeof value === 'string') return isName(path.at(-1), value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]))
}

function isName(field: string | number | undefined, value: string): boolean {
  return (
    /^(?:type|at|id|\w*Ids?|epoch)$/.test(String(field)) ||
    /^[a-z]+_[0-9a-z]{12,}$/.test(value) ||
    /^[0-9a-f]{7,}$/.test(value) ||
    /^\d{4}-\d\d-\d\dT/.test(value)
  )
}

function withText<Value>(value: Value, [name, ...rest]: Path, text: string): Value {
  if (name === undefined) return text as Value
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (String(index) === name ? withText(item, rest, text) : item)) as Value
  }
  const fields = value as Readonly<Record<string, unknown>>
  return { ...fields, [name]: withText(fields[name], rest, text) } as Value
}

function isEvent(value: unknown): boolean {
  try {
    parseEvent(value)
    return true
  } catch {
    return false
  }
}
