import { exportFormat } from '@loader/session-core'
import { parsed, textOf } from './source/again.ts'
import { readDocument } from './source/document-parts.ts'
import { Counts, jsonLines } from './source/json-lines.ts'
import type { SourceFile } from './source/source-file.ts'

/** The formats that can be read, as `--from` of `loader import` names them. */
export const sourceKinds = [
  'loader',
  'session-state',
  'streaming',
  'claude',
  'codex',
  'gemini',
  'pi',
  'opencode',
] as const

/** One of the formats that can be read. */
export type SourceKind = (typeof sourceKinds)[number]

type Fields = ReadonlySet<string>

/** The fields that identify each program's lines or documents. The first match wins. */
const shapes: readonly (readonly [kind: SourceKind, fits: (fields: Fields, type: unknown) => boolean])[] = [
  ['codex', (has, type) => has.has('payload') && has.has('timestamp') && typeof type === 'string'],
  ['gemini', (has) => has.has('$set') || has.has('$rewindTo') || (has.has('sessionId') && has.has('projectHash'))],
  [
    'claude',
    (has, type) =>
      typeof type === 'string' && (has.has('parentUuid') || (has.has('sessionId') && !has.has('projectHash'))),
  ],
  [
    'pi',
    (has, type) =>
      typeof type === 'string' && has.has('id') && has.has('timestamp') && (has.has('parentId') || type === 'session'),
  ],
  [
    'gemini',
    (has, type) =>
      has.has('id') && has.has('timestamp') && has.has('content') && (type === 'user' || type === 'gemini'),
  ],
]

/** The kind of a file, by its content; undefined when it cannot be imported. */
export function detectSource(file: SourceFile): SourceKind | undefined {
  const document = outlineOf(file)
  if (document !== undefined) return documentKind(document) ?? mostLines([document])
  return mostLines(values(file))
}

/** Longer fields are not needed to recognise a document. */
const longestOfOutline = 1024

/** The document of a file, without long fields and without the items of its lists. */
function outlineOf(file: SourceFile): object | undefined {
  const fields = new Map<string, unknown>()
  const isWhole = readDocument(file, ({ name, what, bytes }) => {
    if (what !== 'item')
      fields.set(name, what === 'value' && bytes.length <= longestOfOutline ? parsed(textOf(bytes)) : null)
    return true
  })
  return isWhole ? Object.fromEntries(fields) : undefined
}

/** This many lines are enough to recognise a file. */
const enough = 2000

function* values(file: SourceFile): Generator<unknown> {
  let seen = 0
  for (const { value } of jsonLines(file, new Counts())) {
    yield value
    seen += 1
    if (seen === enough) return
  }
}

function documentKind(document: object): SourceKind | undefined {
  const has = new Set(Object.keys(document))
  if (Object.entries(document).some(([name, value]) => name === 'format' && value === exportFormat)) return 'loader'
  if (has.has('info') && has.has('messages')) return 'opencode'
  if (!has.has('session_id')) return undefined
  const isState = ['workflow_mode', 'permission_mode', 'workflow_timeline', 'runtime_owner_type'].some((name) =>
    has.has(name),
  )
  return isState ? 'session-state' : has.has('messages') ? 'streaming' : undefined
}

/** The kind that most lines have: single lines may be damaged or unknown. */
function mostLines(values: Iterable<unknown>): SourceKind | undefined {
  const votes = new Map<SourceKind, number>()
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue
    const fields = new Set(Object.keys(value))
    const type = 'type' in value ? value.type : undefined
    const kind = shapes.find(([, fits]) => fits(fields, type))?.[0]
    if (kind !== undefined) votes.set(kind, (votes.get(kind) ?? 0) + 1)
  }
  return [...votes].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}
