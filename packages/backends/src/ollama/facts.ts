import * as z from 'zod'
import { lazy } from '../platform/lazy.ts'

/** What the server reports about a model; null for fields it does not report. */
export const OllamaFacts = lazy(() =>
  z.object({
    nativeTools: z.boolean(),
    thinking: z.boolean(),
    largestWindow: z.number().nullable(),
    /** The model runs in the cloud, so its window cannot be chosen here. */
    remote: z.boolean(),
    /** The window it was loaded with when the server was asked. */
    loaded: z.union([z.number(), z.literal('absent')]).nullable(),
  }),
)
export type OllamaFacts = z.infer<ReturnType<typeof OllamaFacts>>
