import { LoaderError } from '@loader/session-core'
import { Limits, PermissionMode, PermissionRule, Policy, WorkflowMode } from '@loader/session-core/coding'
import * as z from 'zod'

/** Settings of an agent. Absent ones have defaults. */
export const AgentConfig = z.strictObject({
  permissionMode: z.optional(PermissionMode).describe('what calls may do when no rule says otherwise; workspace-write'),
  rules: z.array(z.strictObject(PermissionRule.shape)).optional().describe('permission rules, with their sources'),
  rulesSource: z.string().nullable().optional().describe('the file that the rules were read from'),
  limits: z.strictObject(Limits.shape).optional().describe('budgets of a turn'),
  workflowMode: z.optional(WorkflowMode).describe('the mode of every turn; absent means that the runtime routes'),
  completionCheck: z.boolean().optional().describe('whether an answer that changed nothing is looked at; true'),
  compaction: z.enum(['local', 'model']).optional().describe('who writes summaries; local'),
  checks: Policy.shape.checks.check(z.describe('checks of the user, instead of those that the project declares')),
  protect: z.array(z.string()).optional().describe('patterns of paths that are part of the checks'),
  accept: z.array(z.string()).optional().describe('patterns of paths whose changes are accepted beforehand'),
  slowAfterMs: z.int().min(1).optional().describe('a check that takes longer is tried in two rooms only; 120000'),
  instructions: z.boolean().optional().describe('whether AGENTS.md and its like go into the prompt; true'),
  describeModel: z.boolean().optional().describe('whether the model is asked what it can do; true'),
  nativeTools: z
    .boolean()
    .optional()
    .describe('whether the model calls tools by itself; what the model says of itself'),
  contextWindow: z.int().min(1).optional().describe('tokens of the window; what the model says of itself'),
})
export type AgentConfig = z.infer<typeof AgentConfig>

/** Parses the settings; the error names each invalid one. */
export function parseConfig(value: unknown): AgentConfig {
  const result = AgentConfig.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `${[...issue.path, issue.keys.join(', ')].join('.')} is not known`
      : `${issue.path.join('.') || '(all of it)'}: ${issue.message}`,
  )
  throw new LoaderError(
    'invalid_config',
    `The settings of the agent are not valid: ${issues.join('; ')}. Known are: ${knownIn(result.error.issues).join(', ')}.`,
  )
}

/** The valid names at the place of the first unknown one. */
function knownIn(issues: readonly z.core.$ZodIssue[]): readonly string[] {
  const place = issues.find(({ code }) => code === 'unrecognized_keys')?.path[0]
  if (place === 'rules') return Object.keys(PermissionRule.shape)
  return Object.keys(place === 'limits' ? Limits.shape : AgentConfig.shape)
}
