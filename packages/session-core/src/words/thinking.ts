import * as z from 'zod/mini'

/** How much a model thinks before it answers. Absent means that its provider decides. */
export const ThinkingLevel = /* @__PURE__ */ z.enum(['off', 'low', 'medium', 'high'])
export type ThinkingLevel = z.infer<typeof ThinkingLevel>
