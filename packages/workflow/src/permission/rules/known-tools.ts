import type { KnownTool, Policy } from '@loader/session-core/coding'

/** What decisions know of each tool, by its name. */
export type KnownTools = ReadonlyMap<string, KnownTool>

/**
 * What rules mean where no tool says it: in recordings that are older than what tools say, and for a tool of somebody's
 * own that takes the place of one of these. New tools say it themselves.
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
]

export const usualTools: KnownTools = new Map(usual.map((tool) => [tool.name, tool]))

/** The usual tools, and over them what the tools of an agent say of themselves. */
export function knownTools(tools: readonly KnownTool[] = []): KnownTools {
  const known = new Map(usualTools)
  for (const { name, effect, rule } of tools) {
    const before = known.get(name)
    // A rule that people have written for a usual tool goes on to hold for what takes its place.
    const names = [...(rule?.names ?? []), ...(before?.rule?.names ?? [])]
    known.set(name, { ...before, name, ...(effect && { effect }), ...(rule && { rule: { ...rule, names } }) })
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

/** Every move of a session asks, and its policy stays the same for long. */
const ofPolicies = new WeakMap<readonly KnownTool[], KnownTools>()
