import { realRoot } from '../paths/place.ts'
import { childVariables, type ChildVariables } from './child-variables.ts'
import { type Containment, findContainment } from './containment.ts'
import type { ProcessOptions } from './process-options.ts'
import { programOnPath } from './program-on-path.ts'

/** What all commands in one workspace have in common. */
export interface CommandSetup {
  readonly shell: string
  readonly variables: ChildVariables
  readonly containment: Containment
  readonly graceMs: number
}

/** Uses `bash` if it is installed. */
export async function commandSetup(workspace: string, options: ProcessOptions): Promise<CommandSetup> {
  const variables = childVariables(options)
  const top = realRoot(workspace)
  return {
    shell: programOnPath('bash', variables, top) ?? '/bin/sh',
    variables,
    containment: await findContainment(bubblewrapFor(top, options, variables)),
    graceMs: options.graceMs ?? 2000,
  }
}

export function bubblewrapFor(
  workspace: string,
  { bubblewrap }: ProcessOptions,
  variables: ChildVariables,
): string | undefined {
  if (bubblewrap === null || process.platform !== 'linux') return undefined
  return bubblewrap ?? programOnPath('bwrap', variables, workspace)
}
