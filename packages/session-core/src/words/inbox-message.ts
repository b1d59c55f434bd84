import * as z from 'zod/mini'
import { Id } from './ids.ts'
import { LoaderError } from './errors.ts'
import type { Immutable } from './immutable.ts'
import { parseInEnglish } from './parse-in-english.ts'
import { described, lazyObject, nonEmpty, object } from './schema.ts'
import { WorkflowMode } from './workflow-mode.ts'

/** How words of the user came, where they were not said to the process that recorded them. */
export const Via = /* @__PURE__ */ lazyObject(() => ({
  id: described(Id, 'the id of the message that brought them'),
  from: described(nonEmpty, 'where it was written, such as browser'),
}))
export type Via = Immutable<z.infer<typeof Via>>

/** An answer to an open question of a session: words, or a decision about a call or a plan. */
export const GivenAnswer = /* @__PURE__ */ z.discriminatedUnion('kind', [
  /* @__PURE__ */ lazyObject(() => ({ kind: z.literal('words'), words: nonEmpty })),
  /* @__PURE__ */ lazyObject(() => ({
    kind: z.literal('permit'),
    permit: z.enum(['allow', 'deny']),
    scope: z.enum(['once', 'session', 'always']),
    extent: z.optional(z.enum(['call', 'kind'])),
    words: z.optional(nonEmpty),
  })),
])
export type GivenAnswer = Immutable<z.infer<typeof GivenAnswer>>

const head = () => ({ id: Id, from: nonEmpty })

/**
 * A message of the user for the process that holds a session: a task, words for the turn that runs, an answer to its
 * question, or the wish to stop it. Its id is made once, so that the same message is never heard twice.
 */
export const InboxMessage = /* @__PURE__ */ z.discriminatedUnion('kind', [
  /* @__PURE__ */ lazyObject(() => ({
    ...head(),
    kind: z.literal('task'),
    text: nonEmpty,
    mode: z.optional(WorkflowMode),
    doneWhen: z.optional(z.array(object({ command: nonEmpty, text: z.optional(z.string()) }))),
  })),
  /* @__PURE__ */ lazyObject(() => ({ ...head(), kind: z.literal('words'), text: nonEmpty })),
  /* @__PURE__ */ lazyObject(() => ({ ...head(), kind: z.literal('answer'), questionId: Id, answer: GivenAnswer })),
  /* @__PURE__ */ lazyObject(() => ({ ...head(), kind: z.literal('stop'), turnId: Id })),
])
export type InboxMessage = Immutable<z.infer<typeof InboxMessage>>

/** The value as a message, or an error that says what is wrong with it. Stores call it before they keep one. */
export function parseInboxMessage(value: unknown): InboxMessage {
  const parsed = parseInEnglish(InboxMessage, value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue === undefined || issue.path.length === 0 ? 'it' : `its field ${issue.path.join('.')}`
  throw new LoaderError('invalid_message', `This is no message for a session: ${field} is wrong (${issue?.message}).`)
}
