import type { PermissionRule } from '@loader/session-core/coding'
import { parseRules } from '@loader/workflow'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'

const flags = [
  { name: 'allowed-tools', permit: 'allow' },
  { name: 'disallowed-tools', permit: 'deny' },
] as const

/** The rules of --allowed-tools and --disallowed-tools. */
export function flagRules(given: Given): PermissionRule[] {
  return flags.flatMap(({ name, permit }) => {
    return given
      .values(name)
      .flatMap(apart)
      .map((pattern) => ruleOf(permit, pattern, `--${name}`))
  })
}

function ruleOf(permit: 'allow' | 'deny', pattern: string, source: string): PermissionRule {
  const parsed = parseRules(JSON.stringify({ [permit]: [pattern] }), source)
  if (parsed.ok) return { permit, pattern, source }
  throw new UsageError(`${source}: ${parsed.fault.reason.replace(/^(allow|deny)\.0:? ?/, '')}.`, '')
}

/** Splits `Read,Bash(git log:*)` or `Read Bash(git log:*)` into rules, without splitting inside of parentheses. */
function apart(text: string): string[] {
  const rules: string[] = []
  let rule = ''
  let depth = 0
  for (const character of text) {
    if (depth === 0 && /[\s,]/.test(character)) {
      rules.push(rule)
      rule = ''
      continue
    }
    depth += character === '(' ? 1 : character === ')' && depth > 0 ? -1 : 0
    rule += character
  }
  return [...rules, rule].filter((part) => part !== '')
}
