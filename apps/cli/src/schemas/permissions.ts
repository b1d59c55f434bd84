import { PermissionMode, PermissionRule, Permission, Reach } from '@loader/session-core/coding'
import * as z from 'zod'

const ListedRule = z.object({
  permit: Permission,
  rule: z.string().describe('as it is written, or by its conditions'),
  source: z.string().describe('file and line'),
  origin: z.enum(['user', 'project']),
  holds: z.boolean().describe('false while the project of an allow rule is not trusted'),
})
export type ListedRule = z.infer<typeof ListedRule>

export const PermissionsListOutput = z
  .object({
    mode: PermissionMode.check(z.describe('what holds where no rule speaks')),
    trusted: z.boolean().describe('whether allow rules of the project count'),
    rules: z.array(ListedRule).describe('deny goes before ask, and ask before allow'),
  })
  .describe('loader permissions list --json')
export type PermissionsListOutput = z.infer<typeof PermissionsListOutput>

export const PermissionsExplainOutput = z
  .object({
    call: z.object({ tool: z.string(), input: z.unknown() }),
    mode: PermissionMode,
    requiredMode: PermissionMode.check(z.describe('the mildest mode that lets it run without a question')),
    permit: Permission,
    by: z.enum(['rule', 'mode', 'hook', 'guard']).describe('what decided'),
    rule: z.nullable(PermissionRule).describe('the rule that decided, if one did'),
    reason: z.string(),
    withNobodyToAsk: Permission.check(z.describe('the same without a terminal, or with -p')),
    wouldChange: z.array(z.string()).describe('what would lead to another decision'),
    reach: Reach.check(z.describe('how far the call reaches')),
    inert: z.array(ListedRule).describe('allow rules of this project that wait until it is trusted'),
  })
  .describe('loader permissions explain --json')
export type PermissionsExplainOutput = z.infer<typeof PermissionsExplainOutput>
