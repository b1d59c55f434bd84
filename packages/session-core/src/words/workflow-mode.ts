import * as z from 'zod/mini'

/** How a task is worked on. The router chooses a mode from the words of the task unless the user names one. */
export const WorkflowMode = /* @__PURE__ */ z.enum(['clarify', 'plan', 'execute', 'verify', 'explore'])
export type WorkflowMode = z.infer<typeof WorkflowMode>
