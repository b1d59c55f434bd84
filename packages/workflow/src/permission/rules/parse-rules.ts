import { type KnownTool, type PermissionRule, type Permission, Reach } from '@loader/session-core/coding'
import * as z from 'zod'
import { knownTools } from './known-tools.ts'
import { type ReadJson, readJson, type TextPlace } from './read-json.ts'
import { parsePattern } from './rule-pattern.ts'

/**
 * Why a rules file is invalid. An agent must refuse to start with it: none of its rules apply, and among them may be
 * one that denies.
 */
export interface RulesFault extends TextPlace {
  readonly file: string
  readonly reason: string
}

/** The rules of a file, or its first error. A file with an error has no rules. */
export type ParsedRules =
  | { readonly ok: true; readonly rules: readonly PermissionRule[] }
  | { readonly ok: false; readonly fault: RulesFault }

const condition = z.string().trim().min(1, 'must not be empty')

const ObjectRule = z
  .strictObject({
    tool: condition.optional(),
    contains: condition.optional(),
    path_contains: condition.optional(),
    pathContains: condition.optional(),
    reach: z.optional(Reach),
    definition: condition.optional(),
  })
  .refine(
    ({ reach: _reach, definition: _definition, ...rule }) => Object.values(rule).some((value) => value !== undefined),
    {
      message: 'a rule needs at least one of tool, contains and path_contains',
      abort: true,
    },
  )
  .refine((rule) => rule.path_contains === undefined || rule.pathContains === undefined, {
    message: 'path_contains and pathContains are the same; give one',
  })

const RulesFile = z.strictObject({
  allow: z.array(z.unknown()).optional(),
  deny: z.array(z.unknown()).optional(),
  ask: z.array(z.unknown()).optional(),
})

/**
 * Parses a rules file: `{"allow": […], "deny": […], "ask": […]}`. Each rule is either `{"tool", "contains",
 * "path_contains"}` or `"Tool(pattern)"`. `"reach"`, or `@network` after a pattern, limits how far an allowed command
 * may reach; on a rule that denies or asks, it says from which reach on the rule applies. Patterns may name the default
 * tools and `tools`. Each rule knows its line. A file with an error has no rules.
 */
export function parseRules(text: string, file: string, tools: readonly KnownTool[] = []): ParsedRules {
  const json = readJson(text)
  if (!json.ok) return { ok: false, fault: { file, line: json.line, column: json.column, reason: json.reason } }
  const sections = RulesFile.safeParse(json.value)
  if (!sections.success) return { ok: false, fault: faultAt(file, json, sections.error, []) }
  const rules: PermissionRule[] = []
  const known = knownTools(tools)
  for (const permit of permits) {
    for (const [index, item] of (sections.data[permit] ?? []).entries()) {
      const path = [permit, index]
      const source = `${file}:${json.placeOf(path).line}`
      if (typeof item === 'string') {
        const written = patternOf(item)
        const pattern = parsePattern(written.pattern, known)
        if (pattern.kind === 'unreadable') {
          const reason = `${path.join('.')}: "${item}": ${pattern.why}`
          return { ok: false, fault: { file, ...json.placeOf(path), reason } }
        }
        rules.push({ permit, ...written, source })
        continue
      }
      const rule = ObjectRule.safeParse(item)
      if (!rule.success) return { ok: false, fault: faultAt(file, json, rule.error, path) }
      rules.push(ruleOf(permit, rule.data, source))
    }
  }
  return { ok: true, rules }
}

const permits = ['deny', 'ask', 'allow'] as const satisfies readonly Permission[]

/** Splits `Bash(npm install:*)@network` into its parts. */
function patternOf(text: string): Pick<PermissionRule, 'reach'> & { readonly pattern: string } {
  const [, pattern = text, far] = /^(.*)@(\w+)$/s.exec(text.trim()) ?? []
  const reach = Reach.safeParse(far)
  return reach.success ? { pattern: pattern.trim(), reach: reach.data } : { pattern: text.trim() }
}

function ruleOf(permit: Permission, rule: z.infer<typeof ObjectRule>, source: string): PermissionRule {
  const { tool, contains, path_contains, pathContains = path_contains, reach, definition } = rule
  return {
    permit,
    ...(tool !== undefined && { tool }),
    ...(contains !== undefined && { contains }),
    ...(pathContains !== undefined && { pathContains }),
    ...(reach !== undefined && { reach }),
    ...(definition !== undefined && { definition }),
    source,
  }
}

function faultAt(
  file: string,
  json: Extract<ReadJson, { readonly ok: true }>,
  { issues }: z.ZodError,
  path: readonly PropertyKey[],
): RulesFault {
  const [issue] = issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const full = [...path, ...(issue?.path ?? []), ...unknown]
  const name = full.map(String).join('.')
  const reason =
    unknown.length > 0 ? `the key ${name} is not known` : `${name || 'the file'}: ${issue?.message ?? 'invalid'}`
  return { file, ...json.placeOf(full), reason }
}
