import { JsonObject } from '@loader/session-core'
import * as z from 'zod'

const count = z.number().optional()

/** A line of the answer of `/api/chat`. The last one has `done` or an error. */
export const ChatChunk = z.looseObject({
  error: z.unknown().optional(),
  model: z.string().optional(),
  message: z
    .looseObject({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z
        .array(
          z.looseObject({
            id: z.string().optional(),
            function: z.looseObject({
              name: z.string().min(1),
              // Some servers that imitate Ollama pass the arguments on as text.
              arguments: z.union([JsonObject, z.string()]).nullish(),
            }),
          }),
        )
        .nullish(),
    })
    .optional(),
  done: z.boolean().optional(),
  done_reason: z.string().optional(),
  prompt_eval_count: count,
  eval_count: count,
  total_duration: count,
  load_duration: count,
  prompt_eval_duration: count,
  eval_duration: count,
})
export type ChatChunk = z.infer<typeof ChatChunk>
