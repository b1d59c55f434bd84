import { LoaderError, ThinkingLevel } from '@loader/session-core'
import { Limits, PermissionMode, PermissionRule, Policy, Reach, WorkflowMode } from '@loader/session-core/coding'
import * as z from 'zod'

/** Settings of an agent. Absent ones have defaults. */
export const AgentConfig = z.strictObject({
  permissionMode: z.optional(PermissionMode).describe('what calls may do when no rule says otherwise; workspace-write'),
  within: z.optional(Reach).describe('the most that any call can touch, whatever allows it; anything'),
  copyOf: z
    .array(z.string())
    .optional()
    .describe('folders that the workspace is a copy of: their rules that deny or ask hold'),
  rules: z.array(z.strictObject(PermissionRule.shape)).optional().describe('permission rules, with their sources'),
  rulesSource: z.string().nullable().optional().describe('the file that the rules were read from'),
  limits: z.strictObject(Limits.shape).optional().describe('budgets of a turn'),
  workflowMode: z.optional(WorkflowMode).describe('the mode of every turn; absent means that the runtime routes'),
  completionCheck: z.boolean().optional().describe('whether an answer that changed nothing is looked at; true'),
  thinking: z.optional(ThinkingLevel).describe('how much the model thinks; absent means as its provider decides'),
  compaction: z.enum(['local', 'model']).optional().describe('who writes summaries; local'),
  checks: Policy.shape.checks.check(z.describe('checks of the user, instead of those that the project declares')),
  protect: z.array(z.string()).optional().describe('patterns of paths that are part of the checks'),
  carry: z
    .array(z.string())
    .optional()
    .describe('patterns of ignored files that go along where files are stored with the session'),
  accept: z.array(z.string()).optional().describe('patterns of paths whose changes are accepted beforehand'),
  budget: z
    .strictObject({
      usd: z.number().min(0).describe('US dollars that the requests of a session may cost'),
      unknownPrices: z
        .enum(['refuse', 'allow'])
        .optional()
        .describe('what happens with a model whose price is not known; refuse'),
    })
    .optional()
    .describe('what a session may cost'),
  fallbackAfterMs: z
    .int()
    .min(0)
    .optional()
    .describe('time that a model that is overloaded is waited for, until the fallback takes over; 30000'),
  slowAfterMs: z.int().min(1).optional().describe('a check that takes longer is tried in two rooms only; 120000'),
  instructions: z.boolean().optional().describe('whether AGENTS.md and its like go into the prompt; true'),
  describeModel: z.boolean().optional().describe('whether the model is asked what it can do; true'),
  nativeTools: z
    .boolean()
    .optional()
    .describe('whether the model calls tools by itself; what the model says of itself'),
  images: z.boolean().optional().describe('whether the model sees images; what the model says of itself'),
  documents: z.boolean().optional().describe('whether the model reads PDF files; what the model says of itself'),
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
