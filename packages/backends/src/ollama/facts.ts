import * as z from 'zod/mini'
import { lazy } from '../platform/lazy.ts'

/** What the server reports about a model; null for fields it does not report. */
export const OllamaFacts = lazy(() =>
  z.object({
    nativeTools: z.boolean(),
    thinking: z.boolean(),
    /** What `think` can be; null if the server does not list it. */
    thinkingValues: z._default(z.nullable(z.array(z.union([z.boolean(), z.string()]))), null),
    /** Null where the server does not say, or was asked by an older version. */
    images: z._default(z.nullable(z.boolean()), null),
    largestWindow: z.nullable(z.number()),
    /** The model runs in the cloud, so its window cannot be chosen here. */
    remote: z.boolean(),
    /** The window it was loaded with when the server was asked. */
    loaded: z.nullable(z.union([z.number(), z.literal('absent')])),
  }),
)
export type OllamaFacts = z.infer<ReturnType<typeof OllamaFacts>>
