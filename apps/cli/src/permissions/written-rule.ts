import { parseRules } from '@loader/workflow'
import { Permission } from '@loader/session-core/coding'
import { UsageError } from '../arguments/usage-error.ts'

/**
 * Parses a rule from the command line: `Bash(npm test:*)`, or its conditions as JSON. An error says what is invalid.
 */
export function writtenRule(permit: Permission, text: string, command: string): unknown {
  const rule: unknown = text.trim().startsWith('{') ? jsonOf(text, command) : text.trim()
  const parsed = parseRules(JSON.stringify({ [permit]: [rule] }), 'rule')
  if (parsed.ok) return rule
  throw new UsageError(
    `The rule cannot be understood: ${parsed.fault.reason.replace(/^(allow|ask|deny)\.0[.:]? ?/, '')}.`,
    command,
  )
}

/** Parses `allow`, `ask` or `deny`. */
export function writtenPermission(text: string, command: string): Permission {
  const permit = Permission.safeParse(text)
  if (permit.success) return permit.data
  throw new UsageError(`A rule is allow, ask or deny, not ${JSON.stringify(text)}.`, command)
}

function jsonOf(text: string, command: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`The rule is not JSON: ${error.message}.`, command)
    throw error
  }
}
