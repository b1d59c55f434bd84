import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type EndedTurn,
  eventTypes,
  fold,
  isSessionEvent,
  parseEvent,
  parseState,
  type Part,
  reduce,
  type SessionState,
  transcript,
  type TranscriptLine,
  turns,
} from '../src/index.ts'
import { jsonSchemas } from '../scripts/json-schemas.ts'

const frozen = (name: string) => readFileSync(new URL(`fixtures/format-1/${name}`, import.meta.url), 'utf8')
const lines = frozen('session.jsonl').split('\n').slice(0, -1)
const history = lines.map((line) => parseEvent(JSON.parse(line)))
const expected = JSON.parse(frozen('expected.json'))
const shape: Record<string, { required?: string[]; values?: Record<string, string[]> }> = JSON.parse(
  frozen('shape.json'),
)

// Facts are compared as parts of what is found: a later version may know more, never less.
describe('a session that was written in format 1', () => {
  test('survives reading and writing, byte for byte', () => {
    expect(lines.map((line) => JSON.stringify(parseEvent(JSON.parse(line))))).toEqual(lines)
  })

  test('holds every event of its format, and all of them are still known', () => {
    expect(new Set(history.filter(isSessionEvent).map(({ type }) => type))).toEqual(new Set(expected.types))
    expect(eventTypes).toEqual(expect.arrayContaining(expected.types))
  })

  test('folds to what it was', () => {
    expect(factsOf(foldTo(lines.length))).toMatchObject(expected.state)
  })

  test('folds to the same when the state is saved and read again after every event', () => {
    let state: SessionState | null = null
    for (const event of history) state = parseState(JSON.parse(JSON.stringify(reduce(state, event))))
    expect(factsOf(state as SessionState)).toMatchObject(expected.state)
  })

  test('was where it was in the middle of its turns', () => {
    const points: { why: string; seq: number }[] = expected.midway
    expect(points.map(({ why, seq }) => ({ why, ...midwayFactsOf(foldTo(seq)) }))).toMatchObject(expected.midway)
  })

  test('tells the same story, also of what has left the window', () => {
    expect(transcript(history).map(lineFactsOf)).toMatchObject(expected.transcript)
  })

  test('has the turns that it had, with what they used', () => {
    expect(turns(history).map(turnFactsOf)).toMatchObject(expected.turns)
  })

  test('keeps in its state what no version knows', () => {
    const applied = history.find(({ type }) => type === 'policy.applied')
    expect(foldTo(applied?.seq ?? 0).policy).toHaveProperty('moonPhase', 'waxing')
    expect(JSON.stringify(foldTo(lines.length).messages)).toContain('"cachedFor":60')
  })
})

describe('format 1', () => {
  const definitions = (jsonSchemas()['session-event'] as Definition).$defs ?? {}

  test('demands no field that it did not demand, so that old events stay valid', () => {
    const demanded = Object.keys(shape).flatMap((name) => {
      const before = new Set(shape[name]?.required)
      return (definitions[name]?.required ?? [])
        .filter((field) => !before.has(field))
        .map((field) => `${name}.${field}`)
    })
    expect(demanded).toEqual([])
  })

  test('has the closed enumerations that it had, so that old readers know every value', () => {
    const values = Object.entries(shape).filter(([, before]) => before.values)
    const now = values.map(([name]) => [name, enumerationsOf(definitions[nameNow(name)] ?? {})])
    // A new optional field may bring an enumeration of its own.
    expect(now).toMatchObject(values.map(([name, before]) => [name, before.values]))
  })
})

function foldTo(seq: number): SessionState {
  return fold(history.slice(0, seq)) as SessionState
}

function factsOf(state: SessionState) {
  return {
    ...state,
    queue: state.queue.map(({ inputId }) => inputId),
    goal: state.goal?.id,
    todos: state.todos.map(({ id }) => id),
    brief: state.brief?.text,
    plan: state.plan?.implementation,
    compactions: state.compaction?.count,
    evidence: state.evidence.map((run) => ({ ...run, baseline: run.baseline ?? false })),
    workspace: { tree: state.workspace?.tree, kind: state.workspace?.facts?.kind },
    timeline: state.timeline.map(({ kind, reasonCode }) => `${kind} ${reasonCode}`),
    route: state.route?.reasonCode,
    completion: state.completion?.reasonCode,
    lastTransition: state.lastTransition?.summary,
    legacyTrace: state.legacyTrace.length,
    window: state.messages.map(({ id }) => id),
  }
}

function midwayFactsOf({ seq, epoch, messages, turn }: SessionState) {
  return {
    seq,
    epoch,
    window: messages.map(({ id }) => id),
    turn: turn && {
      ...turn,
      pending: turn.pending?.inputId ?? null,
      calls: turn.calls.map(({ call, permit, startedEpoch = null, outcome = null }) => {
        return { id: call.id, permit: permit?.permit ?? null, startedEpoch, outcome }
      }),
      question: turn.question && { id: turn.question.id, answered: turn.question.answer !== undefined },
      wait: turn.wait?.until ?? null,
      stop: turn.stop?.by ?? null,
    },
  }
}

function lineFactsOf({ message, seq, standing }: TranscriptLine) {
  return { ...message, content: message.content.map(wordsOf), seq, standing }
}

function wordsOf(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return typeof part.text === 'string' ? part.text : part.text.blob
    case 'call':
      return `call ${part.call.id} ${part.call.name}`
    case 'result':
      return `result ${part.callId} ${part.outcome}`
    case 'file':
      return `file ${part.mediaType}`
    default:
      return part satisfies never
  }
}

function turnFactsOf(turn: EndedTurn) {
  const { responseId, verdict, notStored } = turn
  return { ...turn, responseId: responseId ?? null, verdict: verdict ?? null, notStored: notStored ?? null }
}

interface Definition {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Definition>>
  readonly enum?: readonly string[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Definition>>
  readonly items?: Definition
  readonly anyOf?: readonly Definition[]
  readonly oneOf?: readonly Definition[]
}

/** Definitions are named for people; only what is in them is stored. */
const nameNow = (name: string) => new Map([['Permit', 'Permission']]).get(name) ?? name

/** The enumerations in a definition, by the path of their field. */
function enumerationsOf(schema: Definition, path = ''): Record<string, readonly string[]> {
  const within: [string, Definition][] = [
    ...Object.entries(schema.properties ?? {}).map(([name, field]): [string, Definition] => [
      path === '' ? name : `${path}.${name}`,
      field,
    ]),
    ...[schema.items ?? [], schema.anyOf ?? [], schema.oneOf ?? []]
      .flat()
      .map((inner): [string, Definition] => [path, inner]),
  ]
  const own = schema.enum === undefined ? {} : { [path === '' ? '(itself)' : path]: schema.enum }
  return Object.assign(own, ...within.map(([place, inner]) => enumerationsOf(inner, place)))
}
