import type * as z from 'zod'
import { Counts, jsonLines } from '../source/json-lines.ts'
import { given, timeOf } from '../source/loose.ts'
import type { SourceFile } from '../source/source-file.ts'
import { fileOfSession, nameOf } from './parent-file.ts'
import { type ShownLine, shownIn } from './shown.ts'
import { Compacted, CodexLine, Meta, ResponseItem, ScreenEvent, TurnContext, UsageRecord } from './records.ts'
import { type UserWords, userWords } from './said-by.ts'

interface Placed {
  readonly line: number
  /** The name of the file, if it belongs to another session. */
  readonly file?: string
  readonly at?: string
}

/** The fields needed of every line of a rollout. Its content is read again when it is needed. */
export type RolloutLine = Placed &
  (
    | ItemLine
    | ScreenLine
    | { readonly kind: 'context'; readonly model?: string }
    | { readonly kind: 'usage'; readonly usage: z.infer<typeof UsageRecord>['usage'] }
    | { readonly kind: 'compacted'; readonly compacted: () => z.infer<typeof Compacted> }
  )

interface ItemLine {
  readonly kind: 'item'
  readonly item: () => ResponseItem
  /** The id of a message. */
  readonly id?: string
  /** The text of a message with the role `user`. */
  readonly words?: UserWords
  readonly ofCompaction: boolean
}

interface ScreenLine {
  readonly kind: 'screen'
  readonly event: () => ScreenEvent
  readonly shown: ShownLine
}

export interface Rollout {
  readonly meta: z.infer<typeof Meta>
  readonly cwd?: string
  readonly startedAt?: string
  readonly lines: readonly RolloutLine[]
  /** Earlier sessions that could not be found. */
  readonly missing: readonly string[]
}

/** A longer chain of forks means that files refer to each other in a circle. */
const deepestFork = 50

/** The lines of a session. The file of a fork has only its own lines, which continue those of another file. */
export function readRollout(file: SourceFile, counts: Counts): Rollout {
  const missing: string[] = []
  const parsed = parseLines(file, counts)
  const { meta, cwd, startedAt } = parsed
  const lines = withHistory(file, parsed, missing, 0).map(({ line }) => line)
  return { meta, ...given('cwd', cwd), ...given('startedAt', startedAt), lines, missing }
}

/**
 * Ordinals continue from file to file, so the fork point shows how many lines of the other file belong to this session.
 */
function withHistory(file: SourceFile, { meta, lines }: Parsed, missing: string[], depth: number): Parsed['lines'] {
  const base = meta.history_base?.thread_id ?? meta.forked_from_id
  if (base === undefined) return lines
  const parent = depth < deepestFork ? fileOfSession(base, file) : undefined
  if (parent === undefined) {
    missing.push(base)
    return lines
  }
  const end = meta.history_base?.end_ordinal_exclusive ?? Number.POSITIVE_INFINITY
  const before = withHistory(parent, parseLines(parent, new Counts(), nameOf(parent.path)), missing, depth + 1)
  return [...before.filter(({ ordinal = 0 }) => ordinal < end), ...lines]
}

interface Parsed {
  readonly meta: z.infer<typeof Meta>
  readonly cwd?: string
  readonly startedAt?: string
  readonly lines: readonly { readonly ordinal?: number; readonly line: RolloutLine }[]
}

function parseLines(file: SourceFile, counts: Counts, name?: string): Parsed {
  let meta: z.infer<typeof Meta> = Meta.parse({})
  let cwd: string | undefined
  let startedAt: string | undefined
  const lines: { ordinal?: number; line: RolloutLine }[] = []
  for (const { line, value, again } of jsonLines(file, counts)) {
    const parsed = CodexLine.safeParse(value).data
    if (parsed === undefined) {
      counts.skip(typeOf(value))
      continue
    }
    const { type, timestamp, ordinal, payload, metadata } = parsed
    startedAt ??= timeOf(timestamp)
    if (type === 'session_meta') {
      meta = Meta.parse(payload)
      cwd ??= meta.cwd
      continue
    }
    if (type === 'turn_context') cwd ??= TurnContext.parse(payload).cwd
    const place = { line, ...given('file', name), ...given('at', timeOf(timestamp)) }
    const known = lineOf(type, payload, metadata?.compaction_output === true, () => CodexLine.parse(again()).payload)
    if (known === undefined)
      counts.skip(type === 'response_item' || type === 'event_msg' ? `${type} ${String(payload['type'])}` : type)
    else lines.push({ ...given('ordinal', ordinal), line: { ...place, ...known } })
  }
  return { meta, ...given('cwd', cwd), ...given('startedAt', timeOf(meta.timestamp) ?? startedAt), lines }
}

type Unplaced<Known> = Known extends unknown ? Omit<Known, 'line' | 'at'> : never

function lineOf(
  type: string,
  payload: unknown,
  ofCompaction: boolean,
  again: () => unknown,
): Unplaced<RolloutLine> | undefined {
  switch (type) {
    case 'response_item': {
      const item = ResponseItem.safeParse(payload).data
      if (item === undefined) return undefined
      const about = item.type === 'message' ? { ...given('id', item.id), ...given('words', userWords(item)) } : {}
      return { kind: 'item', item: () => ResponseItem.parse(again()), ...about, ofCompaction }
    }
    case 'event_msg': {
      const event = ScreenEvent.safeParse(payload).data
      return event && { kind: 'screen', event: () => ScreenEvent.parse(again()), shown: shownIn(event) }
    }
    case 'turn_context':
      return { kind: 'context', ...given('model', TurnContext.parse(payload).model) }
    case 'token_usage_record': {
      const record = UsageRecord.safeParse(payload).data
      return record && { kind: 'usage', usage: record.usage }
    }
    case 'compacted': {
      const compacted = Compacted.safeParse(payload).data
      return compacted && { kind: 'compacted', compacted: () => Compacted.parse(again()) }
    }
    default:
      return undefined
  }
}

function typeOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : 'without a type'
}
