import * as z from 'zod'

export const WorkflowMode = z.enum(['clarify', 'plan', 'execute', 'verify', 'explore'])
export type WorkflowMode = z.infer<typeof WorkflowMode>
