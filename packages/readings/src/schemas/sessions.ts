import { type Immutable, SessionRow } from '@loader/session-core'
import * as z from 'zod'

/** A place in a session where a searched text occurs. */
export const Match = z.object({
  seq: z.int().describe('the event that brought the message'),
  role: z.string(),
  standing: z.enum(['live', 'folded', 'withdrawn', 'rewound']).describe('whether the model still sees it'),
  excerpt: z.string().describe('the text around the place'),
})
export type Match = Immutable<z.infer<typeof Match>>

/** What goes on in a session right now, whatever was written when it was saved last. */
export const Activity = z.enum(['running', 'cut_off', 'open', 'resting', 'damaged'])
export type Activity = z.infer<typeof Activity>

/** A row of a listing over several projects. */
export const ListedSession = z.object({
  ...SessionRow.shape,
  root: z.string().describe('the project that it is kept in'),
  gone: z.literal(true).optional().describe('the project is not there any more'),
  activity: Activity.optional().describe(
    'running: in a turn. cut_off: a turn is open, and its process ended. open: a process has it, and no turn is open. ' +
      'resting: no process has it open. Absent where that is unknown',
  ),
  bytes: z.int().optional().describe('what it takes on disk; absent for one in a database'),
  matches: z.array(Match).optional().describe('with --search: where the text occurs, at most 5'),
})
export type ListedSession = Immutable<z.infer<typeof ListedSession>>

/** Sessions of all projects, as `loader sessions --json` prints them. */
export const SessionsOutput = z
  .object({
    sessions: z.array(ListedSession).describe('newest first'),
    unreadable: z.array(z.object({ root: z.string(), reason: z.string() })).describe('projects that cannot be listed'),
  })
  .describe('loader sessions --json')
export type SessionsOutput = Immutable<z.infer<typeof SessionsOutput>>
