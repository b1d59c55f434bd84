import type { EventInput, JsonValue, StoredEvent } from '@loader/session-core'

/** Fields of answers from outside the loop that are compared in a replay. */
interface Standards {
  /** In a `rerun`: the fields that must be equal. */
  readonly rerun: readonly string[]
  /** In a `stub` replay: the fields that identify the question. The recorded answer is used. */
  readonly stub: readonly string[]
}

const standards: Readonly<Partial<Record<EventInput['type'], Standards>>> = {
  'workspace.observed': { rerun: ['why', 'tree', 'noTree', 'facts', 'changed', 'paths', 'grounding'], stub: ['why'] },
  'check.finished': {
    rerun: ['checkId', 'runId', 'command', 'outcome', 'exitCode', 'signal', 'counts', 'criterionIds', 'room'],
    stub: ['checkId', 'runId', 'command', 'room'],
  },
}

/** The part of an event that is compared. */
export function comparable(event: EventInput | StoredEvent, mode: 'rerun' | 'stub', settled: boolean): JsonValue {
  const { seq: _seq, at: _at, ...plain } = JSON.parse(JSON.stringify(event)) as Record<string, JsonValue>
  const { type } = plain
  if (type === 'check.finished') return { type, ...picked(plain['evidence'], standards['check.finished']?.[mode]) }
  if (type === 'verification.started') return picked(plain, ['type', 'turnId'])
  if (type === 'workspace.observed') {
    const tree = plain['tree'] === undefined ? {} : { tree: picked(plain['tree'], ['id']) }
    return { type, ...picked({ ...plain, ...tree }, standards['workspace.observed']?.[mode]) }
  }
  if (type === 'tool.finished' && settled && mode === 'stub') return picked(plain, ['type', 'callId'])
  if (type === 'tool.finished' && mode === 'rerun') return picked(plain, ['type', 'callId', 'outcome', 'text', 'files'])
  if (type === 'call.examined' && mode === 'rerun') {
    return { ...plain, ...(Array.isArray(plain['intent']) && { intent: plain['intent'].map(hashesOf) }) }
  }
  return plain
}

function hashesOf(intent: JsonValue): JsonValue {
  return picked(intent, ['path', 'before', 'after'])
}

function picked(value: JsonValue | undefined, keys: readonly string[] = []): { [key: string]: JsonValue } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const fields = value as { readonly [key: string]: JsonValue }
  return Object.fromEntries(keys.flatMap((key) => (fields[key] === undefined ? [] : [[key, fields[key]]])))
}
