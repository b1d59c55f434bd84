import type { EventInput, JsonValue, StoredEvent } from '@loader/session-core'
import { toolsSection } from '../prompt/static-sections.ts'

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
export function comparable(event: EventInput | StoredEvent, mode: 'rerun' | 'stub', reconciled: boolean): JsonValue {
  // How an answer or a stop came to the process decides nothing.
  const { seq: _seq, at: _at, via: _via, ...plain } = JSON.parse(JSON.stringify(event)) as Record<string, JsonValue>
  const { type } = plain
  if (type === 'check.finished') return { type, ...picked(plain['evidence'], standards['check.finished']?.[mode]) }
  if (type === 'verification.started') return picked(plain, ['type', 'turnId'])
  if (type === 'workspace.observed') {
    const tree = plain['tree'] === undefined ? {} : { tree: picked(plain['tree'], ['id']) }
    return { type, ...picked({ ...plain, ...tree }, standards['workspace.observed']?.[mode]) }
  }
  if (type === 'tool.finished' && reconciled && mode === 'stub') return picked(plain, ['type', 'callId'])
  if (type === 'tool.finished' && mode === 'rerun') return picked(plain, ['type', 'callId', 'outcome', 'text', 'files'])
  if (type === 'call.examined' && mode === 'rerun') {
    return { ...plain, ...(Array.isArray(plain['intent']) && { intent: plain['intent'].map(hashesOf) }) }
  }
  return plain
}

/** A prompt without what it says of tools, for histories that do not have how they were described. */
export function withoutTools<Event extends EventInput | StoredEvent>(event: Event): Event {
  if (event.type !== 'prompt.rendered') return event
  const { text: _text, toolsDigest: _digest, ...prompt } = event as Extract<EventInput, { type: 'prompt.rendered' }>
  return { ...prompt, sections: prompt.sections.filter(({ name }) => name !== toolsSection) } as unknown as Event
}

function hashesOf(intent: JsonValue): JsonValue {
  return picked(intent, ['path', 'before', 'after'])
}

function picked(value: JsonValue | undefined, keys: readonly string[] = []): { [key: string]: JsonValue } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const fields = value as { readonly [key: string]: JsonValue }
  return Object.fromEntries(keys.flatMap((key) => (fields[key] === undefined ? [] : [[key, fields[key]]])))
}
