import * as z from 'zod/mini'

export const WorkflowMode = /* @__PURE__ */ z.enum(['clarify', 'plan', 'execute', 'verify', 'explore'])
export type WorkflowMode = z.infer<typeof WorkflowMode>
