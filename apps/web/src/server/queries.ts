import { Activity } from '@loader/readings'
import { Verdict } from '@loader/session-core/coding'
import * as z from 'zod'
import type { DiffRequest, ListRequest } from '../protocol.ts'

const usualLimit = 100
const largestLimit = 500

const text = z.string().min(1).max(1_000)
const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

const ListQuery = z.object({
  limit: wholeNumber.pipe(z.int().min(1)).optional(),
  cursor: text.optional(),
  text: text.optional(),
  search: text.optional(),
  verdict: z.optional(Verdict),
  activity: Activity.optional(),
  project: text.optional(),
})

const EventsQuery = z.object({
  after: wholeNumber.optional(),
  at: text.optional(),
  until: z.literal('live').optional(),
  wait: wholeNumber.optional(),
})

const DiffQuery = z.object({ turn: text.optional(), call: text.optional() })

/** What a request asks of a list; undefined if it cannot be understood. */
export function listRequest(
  query: Readonly<Record<string, string>>,
): (Required<Pick<ListRequest, 'limit'>> & ListRequest) | undefined {
  const parsed = ListQuery.safeParse(query)
  if (!parsed.success) return undefined
  const { limit = usualLimit, ...rest } = parsed.data
  return { ...present(rest), limit: Math.min(limit, largestLimit) }
}

export interface EventsRequest {
  readonly after: number
  readonly at?: string
  readonly endsAfterMs?: number
}

const longestWaitSeconds = 25

export function eventsRequest(query: Readonly<Record<string, string>>): EventsRequest | undefined {
  const parsed = EventsQuery.safeParse(query)
  if (!parsed.success) return undefined
  const { after = 0, at, until, wait = longestWaitSeconds } = parsed.data
  return {
    after,
    ...(at !== undefined && { at }),
    ...(until === 'live' && { endsAfterMs: Math.min(wait, longestWaitSeconds) * 1_000 }),
  }
}

export function diffRequest(query: Readonly<Record<string, string>>): DiffRequest | undefined {
  const parsed = DiffQuery.safeParse(query)
  return parsed.success ? present(parsed.data) : undefined
}

const ExportQuery = z.object({ format: z.enum(['json', 'html', 'markdown']).optional() })

/** The format of an export; undefined if it is none. */
export function exportRequest(query: Readonly<Record<string, string>>): 'json' | 'html' | 'markdown' | undefined {
  const parsed = ExportQuery.safeParse(query)
  return parsed.success ? (parsed.data.format ?? 'json') : undefined
}

type Present<Value> = { [Name in keyof Value]: Exclude<Value[Name], undefined> }

function present<Value extends object>(value: Value): Present<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Present<Value>
}
