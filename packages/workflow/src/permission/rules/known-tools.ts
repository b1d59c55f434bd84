import type { KnownTool, Policy } from '@loader/session-core/coding'

/** What decisions know about each tool, by name. */
export type KnownTools = ReadonlyMap<string, KnownTool>

/**
 * The tools that rules know by default: for histories made before tools described themselves, and for a custom tool
 * that replaces one of these. New tools describe themselves.
 */
const usual: readonly KnownTool[] = [
  { name: 'bash', rule: { names: ['Bash'], takes: 'command' } },
  { name: 'read', effect: 'probe', rule: { names: ['Read'], takes: 'path' } },
  { name: 'edit', effect: 'write', rule: { names: ['Edit', 'MultiEdit'], takes: 'path' } },
  { name: 'write', effect: 'write', rule: { names: ['Write', 'Edit'], takes: 'path' } },
  { name: 'patch', effect: 'write', rule: { names: ['Edit', 'MultiEdit'], takes: 'path' } },
  { name: 'glob', effect: 'probe', rule: { names: ['Glob'], takes: 'path' } },
  { name: 'grep', effect: 'probe', rule: { names: ['Grep'], takes: 'path' } },
  { name: 'git', effect: 'probe' },
  { name: 'fetch', rule: { names: ['Fetch', 'WebFetch'], takes: 'host' } },
]

export const usualTools: KnownTools = new Map(usual.map((tool) => [tool.name, tool]))

/** The default tools, overridden by how the tools of an agent describe themselves. */
export function knownTools(tools: readonly KnownTool[] = []): KnownTools {
  const known = new Map(usualTools)
  for (const { name, effect, rule, definition } of tools) {
    const before = known.get(name)
    // Rules that users have written for a default tool must also apply to its replacement.
    const names = [...(rule?.names ?? []), ...(before?.rule?.names ?? [])]
    const own = { ...(effect && { effect }), ...(definition !== undefined && { definition }) }
    known.set(name, { ...before, name, ...own, ...(rule && { rule: { ...rule, names } }) })
  }
  return known
}

export function toolsOfPolicy(policy: Pick<Policy, 'tools'> | null): KnownTools {
  const said = policy?.tools?.known
  if (said === undefined) return usualTools
  const known = ofPolicies.get(said) ?? knownTools(said)
  ofPolicies.set(said, known)
  return known
}

/** Cached by policy, because every step asks and a policy rarely changes. */
const ofPolicies = new WeakMap<readonly KnownTool[], KnownTools>()
