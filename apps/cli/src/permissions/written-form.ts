import type { PermissionRule } from '@loader/session-core/coding'
import { ruleText } from '@loader/workflow'

/** The rule as a user would write it in the file. */
export function writtenForm(rule: PermissionRule): unknown {
  const { tool, contains, pathContains, pattern, reach, definition } = rule
  return pattern === undefined
    ? { tool, contains, pathContains, reach, definition }
    : ruleText({ permit: rule.permit, pattern, reach })
}
