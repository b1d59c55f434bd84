import { JsonObject } from '@loader/session-core'
import * as z from 'zod/mini'

const count = z.optional(z.number())

/** A line of the answer of `/api/chat`. The last one has `done` or an error. */
export const ChatChunk = z.looseObject({
  error: z.optional(z.unknown()),
  model: z.optional(z.string()),
  message: z.optional(
    z.looseObject({
      content: z.nullish(z.string()),
      thinking: z.nullish(z.string()),
      tool_calls: z.nullish(
        z.array(
          z.looseObject({
            id: z.optional(z.string()),
            function: z.looseObject({
              name: z.string().check(z.minLength(1)),
              // Some servers that imitate Ollama pass the arguments on as text.
              arguments: z.nullish(z.union([JsonObject, z.string()])),
            }),
          }),
        ),
      ),
    }),
  ),
  done: z.optional(z.boolean()),
  done_reason: z.optional(z.string()),
  prompt_eval_count: count,
  eval_count: count,
  total_duration: count,
  load_duration: count,
  prompt_eval_duration: count,
  eval_duration: count,
})
export type ChatChunk = z.infer<typeof ChatChunk>
