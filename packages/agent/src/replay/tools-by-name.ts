import type { Policy, Tool } from '@loader/session-core/coding'
import * as z from 'zod'

/** The tools that a model could call, as the policy records them. */
export type RecordedTools = Policy['tools']

/**
 * Names of tools that servers provided. A history has them by name, with what decisions rest on; how they were described, it
 * has as a digest alone. Nothing where all that is recorded are tools of the program.
 */
export function namesOfServers(recorded: RecordedTools, own: readonly string[]): readonly string[] {
  if (recorded?.servers === undefined || recorded.servers.length === 0) return []
  return recorded.names.filter((name) => !own.includes(name))
}

/** Stands for the tools of servers where nothing runs, and asks no server. */
export function toolsByName(recorded: RecordedTools, own: readonly Tool[]): readonly Tool[] {
  const names = namesOfServers(
    recorded,
    own.map(({ name }) => name),
  )
  return names.map((name) => {
    const { title, effect, rule } = recorded?.known?.find((each) => each.name === name) ?? {}
    return {
      name,
      description: '',
      input: Arguments,
      ...(title !== undefined && { title }),
      ...(effect && { effect }),
      ...(rule && { rule }),
      examine: async () => ({ valid: false, message: 'It is not here.' }),
      run: async () => ({ outcome: 'failed', text: 'It is not here.' }),
    }
  })
}

const Arguments = z.record(z.string(), z.unknown())
