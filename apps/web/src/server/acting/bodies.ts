import { GivenAnswer, WorkflowMode } from '@loader/session-core/coding'
import { Id, SessionId } from '@loader/session-core'
import * as z from 'zod'
import type { ActBodies, ActName, Request } from '../../acts.ts'

/** Of a task, and of words for the model. What is longer belongs into a file. */
const longestText = 100_000

const request = z.string().regex(/^[\w-]{16,64}$/)
const session = z.custom<string>((value) => SessionId.safeParse(value).success)
const id = z.custom<string>((value) => Id.safeParse(value).success)
const text = z
  .string()
  .max(longestText)
  .refine((value) => value.trim() !== '')
const title = z
  .string()
  .max(1_000)
  .refine((value) => value.trim() !== '')
const digest = z.string().min(1).max(200)
const answer = z
  .custom<GivenAnswer>((value) => GivenAnswer.safeParse(value).success)
  .transform((value) => GivenAnswer.parse(value))
  .refine(({ words = '' }) => words.length <= longestText)
const rewound = { session, turn: id, files: z.boolean() }

const bodies = {
  send: z
    .strictObject({
      request,
      session: session.optional(),
      project: z.string().min(1).max(4_096).optional(),
      text,
      mode: z.custom<WorkflowMode>((value) => WorkflowMode.safeParse(value).success).optional(),
      checks: z.array(title).max(20).optional(),
      title: title.optional(),
      to: z.enum(['here', 'fleet']).optional(),
    })
    .refine((body) => (body.session === undefined) !== (body.project === undefined)),
  queue: z.strictObject({ request, session, text }),
  stop: z.strictObject({ request, session, turnId: id }),
  continue: z.strictObject({ request, session }),
  answer: z.strictObject({ request, session, questionId: id, shown: digest, answer, rule: text.optional() }),
  rename: z.strictObject({ request, session, title }),
  fork: z.strictObject({ request, session, at: z.int().min(1).optional(), title: title.optional() }),
  'accept-preview': z.strictObject({ request, session }),
  accept: z.strictObject({ request, session, token: digest }),
  'rewind-preview': z.strictObject({ request, ...rewound }),
  rewind: z.strictObject({ request, ...rewound, token: digest }),
  unpark: z.strictObject({ request, session }),
} as const satisfies { readonly [Name in ActName]: z.ZodType }

/** The body of an act; undefined if it cannot be understood. */
export function bodyOf<Name extends ActName>(name: Name, value: unknown): (ActBodies[Name] & Request) | undefined {
  const parsed = bodies[name].safeParse(value)
  return parsed.success ? (parsed.data as unknown as ActBodies[Name] & Request) : undefined
}
