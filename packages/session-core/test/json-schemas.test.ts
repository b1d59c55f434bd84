import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  eventTypes,
  fold,
  isSessionEvent,
  noTotals,
  parseEvent,
  SessionSnapshot,
  type SessionSegment,
  type SessionState,
  Usage,
} from '../src/index.ts'
import { jsonSchemas } from '../scripts/json-schemas.ts'

interface Schema {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly oneOf?: readonly Schema[]
}

const schemas = jsonSchemas() as Readonly<Record<string, Schema>>
const definitions = schemas['session-event']?.$defs ?? {}
// Strict, so that a keyword that means nothing is an error. Formats only repeat what the patterns say.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false })
const isEvent = ajv.compile(schemas['session-event'] ?? false)
const isSnapshot = ajv.compile(schemas['session-snapshot'] ?? false)
const isSegment = ajv.compile(schemas['session-segment'] ?? false)

const lines = readFileSync(new URL('fixtures/format-1/session.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .slice(0, -1)
const events: readonly object[] = lines.map((line) => JSON.parse(line))
const history = events.map(parseEvent)
const place = { seq: 1, at: '2026-01-31T09:30:00.000Z' }
/** Events that came after the recorded session. */
const hookRuns = { command: 'lint', source: 's', origin: 'user', given: 'sha256:0', reach: 'work' } as const
const later: readonly object[] = [
  {
    type: 'checks.accepted',
    ...place,
    by: 'user',
    tree: 'a1',
    files: ['test/sum.test.js'],
    packages: [],
    tests: ['adds'],
  },
  {
    type: 'statement.made',
    ...place,
    turnId: 'turn_1',
    how: 'done',
    summary: 'It adds.',
    left: 'nothing',
    found: [{ call: 'call_1', shownBy: 'call_2', what: 'the file is there' }],
  },
  { type: 'verification.started', ...place, turnId: 'turn_1', ground: { tree: 'a1', before: 'a0' } },
  { type: 'before.moved', ...place, before: { tree: { base: 'a0', layers: [] } }, why: 'verified' },
  {
    type: 'workspace.saved',
    ...place,
    tree: 'a1',
    rest: 'r1',
    commit: 'c1',
    leftOut: [],
    bytes: 4,
    place: { id: 'p1', root: '/work', machine: 'linux x64, node 26' },
    pack: ['UEFDSw=='],
  },
  {
    type: 'workspace.prepared',
    ...place,
    place: { id: 'p2', root: '/other', machine: 'linux x64, node 26' },
    from: { id: 'p1', root: '/work', machine: 'linux x64, node 26' },
    tree: { id: 'a1', rest: 'r1', leftOut: [] },
    missing: [],
  },
  {
    type: 'background.started',
    ...place,
    id: 'bg1',
    callId: 'call_1',
    command: 'serve',
    cwd: '/work',
    reach: 'work',
    startedAt: '2026-01-01T00:00:00.000Z',
    process: '1-2-3-4',
    keeps: true,
    found: true,
  },
  {
    type: 'child.assigned',
    ...place,
    childId: 'ses_child',
    callId: 'call_1',
    title: 'Look',
    task: 'Look around.',
    agent: 'reader',
    model: 'ollama/small',
    depth: 1,
    place: 'copy',
    tree: { id: 'a1', rest: 'none' },
    grant: { mode: 'workspace-write', within: 'work', tools: ['read'], turns: 5, tokens: 100, usd: 1 },
  },
  { type: 'child.opened', ...place, childId: 'ses_child' },
  {
    type: 'child.finished',
    ...place,
    childId: 'ses_child',
    outcome: 'ok',
    reason: 'turn_complete',
    verdict: 'verified',
    usage: noTotals,
    text: 'Done.',
    tree: { id: 'a2', rest: 'none' },
  },
  {
    type: 'child.merged',
    ...place,
    childId: 'ses_child',
    files: [{ path: 'a.txt', outcome: 'conflict', reason: 'It was changed since.' }],
  },
  { type: 'background.listened', ...place, id: 'bg1', ports: [{ port: 4173, on: 'session' }] },
  { type: 'background.ended', ...place, id: 'bg1', how: 'exited', exitCode: 0, bytes: 10, note: 'It has ended.' },
  { type: 'hook.started', ...place, id: 'hook_1', hook: 'lint', on: 'post_tool', callId: 'call_1', runs: hookRuns },
  {
    type: 'hook.ended',
    ...place,
    id: 'hook_1',
    hook: 'lint',
    context: 'Two warnings.',
    note: 'It is slow.',
    ran: { ...hookRuns, ended: 'exited', exitCode: 0, durationMs: 5 },
  },
  { type: 'port.published', ...place, id: 'bg1', port: 4173, hostPort: 4173, callId: 'call_2' },
  { type: 'event.lost', ...place, first: 1, last: 2, bytes: 120, id: 'ses_1' },
]

describe('the JSON Schema of an event', () => {
  test('accepts every event of a whole session', () => {
    expect([...events, ...later].filter((event) => !isEvent(event))).toEqual([])
  })

  test('refuses a field with the wrong type, in every field of every event', () => {
    const broken = [...history, ...later.map(parseEvent)].filter(isSessionEvent).flatMap((event) => {
      return typedFieldsOf(event).map((field) => ({ of: event.type, value: { ...event, [field]: 0.5 } }))
    })
    expect(new Set(broken.map(({ of }) => of))).toEqual(new Set(eventTypes))
    expect(broken.filter(({ value }) => isEvent(value))).toEqual([])
  })

  test('accepts what newer versions write, but no broken event of this one in that guise', () => {
    expect(isEvent({ type: 'session.levitated', ...place, height: 3 })).toBe(true)
    expect(isEvent({ type: 'session.titled', ...place, by: 'user' })).toBe(false)
  })

  test('decides like parseEvent about any change to an event', () => {
    const values = [undefined, null, true, -1, 0.5, '', 'ok', '2026-01-31T09:30:00Z', [], [{}], {}, { text: 'x' }]
    fc.assert(
      fc.property(fc.constantFrom(...events, ...later), fc.nat(), fc.constantFrom(...values), (event, place, value) => {
        const changed = changedAt(event, place, value)
        expect(isEvent(changed)).toBe(isParsed(changed))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('the JSON Schema of a snapshot', () => {
  const snapshots = history.map(({ seq }) => snapshotOf(fold(history.slice(0, seq)) as SessionState))

  test('accepts the snapshot of a session at every point of its life', () => {
    expect(snapshots.filter((snapshot) => !isSnapshot(snapshot))).toEqual([])
    expect(snapshots.filter((snapshot) => !SessionSnapshot.safeParse(snapshot).success)).toEqual([])
  })

  test('refuses a snapshot that lacks any of its fields, but for one that older versions did not write', () => {
    const [snapshot] = snapshots
    const spared = Object.keys(snapshot ?? {}).filter((field) => isSnapshot({ ...snapshot, [field]: undefined }))
    expect(spared).toEqual(['titledBy'])
  })
})

describe('the JSON Schema of a segment', () => {
  const checksum = '00c0ffee'
  const segment: Record<keyof z.input<typeof SessionSegment>, unknown> = {
    format: 1,
    id: 'ses_origin',
    number: 1,
    firstSeq: 1,
    lastSeq: events.length,
    previousChecksum: '',
    events,
    eventChecksums: events.map(() => checksum),
    checksum,
  }

  test('accepts a segment, and refuses one with a broken event or of a newer format', () => {
    expect(isSegment(segment)).toBe(true)
    expect(isSegment({ ...segment, events: [...events, { type: 'session.titled' }] })).toBe(false)
    expect(isSegment({ ...segment, format: 2 })).toBe(false)
  })
})

describe('every JSON Schema', () => {
  test('has no place that allows just anything', () => {
    expect(Object.entries(schemas).flatMap(([name, schema]) => emptyPlaces(schema, name))).toEqual([])
  })

  test('names its types once, and says of each what it means', () => {
    const withoutMeaning = Object.values(schemas).flatMap(({ $defs = {} }) =>
      Object.keys($defs).filter((name) => typeof $defs[name]?.['description'] !== 'string'),
    )
    expect(withoutMeaning).toEqual([])
    expect(Object.keys(definitions)).toEqual(expect.arrayContaining(['Message', 'Part', 'ToolCall', 'Decision']))
    expect(Object.keys(definitions)).toContain('PermissionRuleAdded')
    expect(JSON.stringify(schemas)).not.toContain('__schema')
  })

  test('gives its names to nothing but itself', () => {
    expect(z.toJSONSchema(z.object({ usage: Usage }))).not.toHaveProperty('$defs')
  })
})

/** The fields of the event that its schema knows and that are not free to hold any JSON. */
function typedFieldsOf(event: { readonly type: string }): string[] {
  const schema = definitions['SessionEvent']?.oneOf
    ?.map(({ $ref = '' }) => definitions[$ref.replace('#/$defs/', '')])
    .find((definition) => definition?.properties?.['type']?.['const'] === event.type)
  return Object.keys(event).filter((field) => {
    const property = schema?.properties?.[field]
    return property !== undefined && property.$ref !== '#/$defs/JsonValue'
  })
}

/** A copy of the event with one of the values in it, the one at this place in a walk through it, replaced or removed. */
function changedAt(event: object, place: number, value: unknown): unknown {
  const places = pathsOf(event)
  const path = places[place % places.length] ?? []
  const copy = structuredClone(event)
  const holder = path.slice(0, -1).reduce<object>((inner, key) => Reflect.get(inner, key), copy)
  Reflect.set(holder, path.at(-1) ?? '', value)
  return JSON.parse(JSON.stringify(copy))
}

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...pathsOf(inner).map((rest) => [key, ...rest])])
}

function isParsed(value: unknown): boolean {
  try {
    parseEvent(value)
    return true
  } catch {
    return false
  }
}

function snapshotOf(state: SessionState): object {
  const store: z.input<typeof SessionSnapshot>['store'] = {
    epoch: state.epoch,
    segments: 0,
    lastSealedSeq: 0,
    chain: '',
  }
  const pendingInput = state.turn?.pending ?? null
  return JSON.parse(JSON.stringify({ ...state, pendingInput, store, checksum: '00c0ffee' }))
}

/** Where a schema stands that says nothing, by its path. */
function emptyPlaces(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [path]
  const { description: _description, title: _title, ...keywords } = schema as Schema
  if (Object.keys(keywords).length === 0) return [path]
  const { $defs = {}, properties = {}, anyOf = [], oneOf = [] } = keywords
  const single = ['items', 'additionalProperties', 'propertyNames', 'not'].filter((keyword) => keyword in keywords)
  const inner: [string, unknown][] = [
    ...single.map((keyword): [string, unknown] => [keyword, keywords[keyword]]),
    ...[$defs, properties, anyOf as object, oneOf].flatMap((group) => Object.entries(group)),
  ]
  return inner.flatMap(([key, place]) => emptyPlaces(place, `${path}/${key}`))
}
