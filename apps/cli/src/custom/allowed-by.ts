import type { PermissionRule } from '@loader/session-core/coding'
import { parseRules } from '@loader/workflow'
import type { Places } from '../places/places.ts'
import { isTrusted } from '../settings/trust.ts'

/** A file of the user or a project that names rules which its task needs. */
interface Allowing {
  readonly file: string
  readonly origin: 'user' | 'project'
  readonly allowedTools: readonly string[]
  /** What it is called, for people. */
  readonly what: string
}

/** What a file of the project allows counts only when the user trusts the project, as with its rules. */
export function allowedBy(
  { allowedTools, origin, file, what }: Allowing,
  { root, config }: Pick<Places, 'root' | 'config'>,
): { readonly rules: readonly PermissionRule[]; readonly notes: readonly string[] } {
  if (allowedTools.length === 0) return { rules: [], notes: [] }
  if (origin === 'project' && !isTrusted(config, root)) {
    const why = 'this project is not trusted (loader permissions trust)'
    return { rules: [], notes: [`What ${what} allows (${allowedTools.join(', ')}) does not count: ${why}`] }
  }
  const read = allowedTools.map((pattern) => ({
    pattern,
    parsed: parseRules(JSON.stringify({ allow: [pattern] }), file),
  }))
  return {
    rules: read.flatMap(({ parsed }) => (parsed.ok ? parsed.rules.map((rule) => ({ ...rule, source: file })) : [])),
    notes: read.flatMap(({ pattern, parsed }) => {
      return parsed.ok ? [] : [`${file}: allowed-tools has ${pattern}, which is no rule here`]
    }),
  }
}
