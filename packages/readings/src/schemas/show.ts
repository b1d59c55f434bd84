import {
  EndedTurn,
  FilePart,
  type Immutable,
  JsonValue,
  MessageOrigin,
  ParentSession,
  ToolOutcome,
} from '@loader/session-core'
import { ChildSession, Effect, HookRun, LeftOut, Permission } from '@loader/session-core/coding'
import * as z from 'zod'
import { SessionName } from './session.ts'

const ShownCall = z.object({
  id: z.string(),
  name: z.string(),
  input: JsonValue,
  effect: z.nullable(Effect).describe('what it could do; null when it was not examined'),
  command: z.string().optional().describe('the shell command, when the call runs one'),
  preview: z.string().optional().describe('a diff, or the command as it runs'),
  permit: z.nullable(Permission).describe('null when nothing was decided yet'),
  permittedBy: z.string().optional(),
  reason: z.string().optional().describe('why it was allowed or denied'),
  outcome: z.nullable(ToolOutcome).describe('null while it has no result'),
  result: z.string().nullable().describe('what the model was told'),
  files: z.array(FilePart).optional().describe('files and images that belong to the result'),
})

const ShownMessage = z.object({
  kind: z.literal('message'),
  seq: z.int().describe('the event that brought it'),
  at: z.string(),
  id: z.string(),
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  origin: MessageOrigin,
  source: z.string().optional().describe('who said it, for an input that is not simply the words of the user'),
  standing: z.enum(['live', 'folded', 'withdrawn', 'rewound']).describe('whether the model still sees it'),
  interrupted: z.boolean().describe('cut off; what had arrived is kept'),
  model: z.string().optional().describe('provider/id that answered'),
  text: z.string(),
  reasoning: z.string(),
  files: z.array(FilePart),
  quoted: z
    .array(z.object({ file: z.string(), text: z.string() }))
    .optional()
    .describe('text files that the user named with an @, as they were then'),
  calls: z.array(ShownCall).describe('with their results'),
})

const ShownTurnEnd = z.object({
  kind: z.literal('turn_end'),
  seq: z.int(),
  at: z.string(),
  standing: z.enum(['live', 'folded', 'withdrawn', 'rewound']).describe('that of the input of the turn'),
  turn: EndedTurn,
})

const EventPlace = z.object({ seq: z.int(), type: z.string(), at: z.string() })

const ShownGap = z.object({
  kind: z.literal('gap'),
  seq: z.int().describe('the first event that is lost'),
  at: z.string(),
  standing: z.literal('live'),
  last: z.int().describe('the last event that is lost'),
  bytes: z.int().nullable().describe('damaged bytes that stand there; null when that is not known'),
  before: EventPlace.nullable().describe('the event in front of the gap'),
  after: EventPlace.nullable().describe('the event behind it'),
})

const ShownBackground = z.object({
  kind: z.literal('background'),
  seq: z.int(),
  at: z.string(),
  standing: z.literal('live'),
  id: z.string().describe('bg1, bg2, …'),
  what: z.enum(['started', 'listened', 'ended', 'published']),
  text: z.string().describe('the same for people'),
})

const ShownChild = z.object({
  kind: z.literal('child'),
  seq: z.int(),
  at: z.string(),
  standing: z.literal('live'),
  id: z.string().describe('the child session'),
  title: z.string().describe('its task in a few words'),
  what: z.enum(['assigned', 'finished', 'merged']),
  text: z.string().describe('the same for people'),
})

export const ShownHook = z.object({
  kind: z.literal('hook'),
  seq: z.int(),
  at: z.string(),
  standing: z.literal('live'),
  hook: z.string().describe('its name; of a command, how that begins'),
  on: z.string().describe('pre_tool, post_tool, stop, …'),
  decision: z.enum(['continue', 'deny', 'cancel', 'fail']),
  callId: z.string().optional(),
  ran: z.optional(HookRun).describe('of a hook that is a command: which, and how it ended'),
  apart: z
    .enum(['began', 'ended', 'not known'])
    .optional()
    .describe('of a hook that nobody waits for: that it began, that it ended, or that nobody knows how it ended'),
  text: z.string().describe('the same for people'),
})

const ShownPlace = z.object({ root: z.string(), machine: z.string() })

const ShownMove = z.object({
  kind: z.literal('moved'),
  seq: z.int(),
  at: z.string(),
  standing: z.literal('live'),
  to: ShownPlace.describe('the folder that the session went on in'),
  from: ShownPlace.describe('the folder that its files come from'),
  missing: z.array(LeftOut).describe('what was left out on the way'),
})

const ShowEntry = z.discriminatedUnion('kind', [
  ShownMessage,
  ShownTurnEnd,
  ShownGap,
  ShownBackground,
  ShownChild,
  ShownHook,
  ShownMove,
])

/** The conversation, as `loader show --json` prints it. */
export const ShowOutput = z
  .object({
    session: SessionName,
    at: z.int().nullable().describe('the event up to which it is shown; null for all'),
    entries: z
      .array(ShowEntry)
      .describe(
        'messages, ends of turns, moves to other folders, what background commands and child sessions did, what hooks said, and gaps where events cannot be read; in order',
      ),
    arriving: z.string().nullable().describe('the part of an answer that has arrived so far'),
    waiting: z
      .array(z.object({ inputId: z.string(), text: z.string() }))
      .describe('what the user has said and no request has taken yet'),
    children: z
      .array(z.object(ChildSession.shape))
      .optional()
      .describe('child sessions, in the order in which they were begun; absent for none'),
    parent: z.optional(ParentSession).describe('the session that began this one'),
  })
  .describe('loader show --json')
export type ShowOutput = Immutable<z.infer<typeof ShowOutput>>

/** One entry of a conversation: a message, the end of a turn, or a gap. */
export type ShowEntry = Immutable<z.infer<typeof ShowEntry>>

/** A tool call in a conversation, together with its result. */
export type ShownCall = Immutable<z.infer<typeof ShownCall>>

/** A message in a conversation, with its calls. */
export type ShownMessage = Immutable<z.infer<typeof ShownMessage>>

/** The end of a turn in a conversation: reason, verdict, usage. */
export type ShownTurnEnd = Immutable<z.infer<typeof ShownTurnEnd>>

/** What became of a background command, at its place in the conversation. */
export type ShownBackground = Immutable<z.infer<typeof ShownBackground>>

/** What became of a child session, at its place in the conversation. */
export type ShownChild = Immutable<z.infer<typeof ShownChild>>

/** A hook that ran, at its place in the conversation. */
export type ShownHook = Immutable<z.infer<typeof ShownHook>>

/** Events that are lost or unreadable, at their place in the conversation. */
export type ShownGap = Immutable<z.infer<typeof ShownGap>>

/** Where a session went on in another folder. */
export type ShownMove = Immutable<z.infer<typeof ShownMove>>
