import * as z from 'zod'
import { lazy } from '../platform/lazy.ts'

/** What the server says of a model; null is what it does not say. */
export const OllamaFacts = lazy(() =>
  z.object({
    nativeTools: z.boolean(),
    thinking: z.boolean(),
    largestWindow: z.number().nullable(),
    /** It runs elsewhere, and its window is not ours to choose. */
    remote: z.boolean(),
    /** The window that it was loaded with when the server was asked. */
    loaded: z.union([z.number(), z.literal('absent')]).nullable(),
  }),
)
export type OllamaFacts = z.infer<ReturnType<typeof OllamaFacts>>
