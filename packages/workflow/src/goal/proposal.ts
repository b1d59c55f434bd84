import type { Check, Criterion } from '@loader/session-core/coding'
import { nameFor } from './hash.ts'
import { readCheck } from './read-check.ts'

/** A check that could stand for a criterion, and where it comes from. */
export interface Proposal {
  readonly command: string
  /** The criterion that it shows. */
  readonly text: string
  readonly source: 'user' | 'plan' | 'project' | 'commands' | 'presence'
  /** Where it is not what the command says. */
  readonly kind?: 'existence' | 'syntax'
  readonly timeoutMs?: number
}

/** The same command has the same name in every turn, so the evidence of a session has one place for each. */
export function checkFor({ command, source, kind, timeoutMs }: Proposal): Check {
  const read = readCheck(command)
  const paths = [...new Set([...read.scripts, ...read.selected])]
  return {
    id: `check-${nameFor(command)}`,
    command,
    kind: kind ?? read.kind,
    source,
    ...(paths.length > 0 && { paths }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
}

export function criterionFor({ command, text, source }: Proposal): Criterion {
  const name = nameFor(command)
  return { id: `criterion-${name}`, text, checkIds: [`check-${name}`], source }
}
