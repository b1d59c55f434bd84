import { type SessionState, shownText } from '@loader/session-core'
import { artifactsOf } from '../planning/artifacts-of.ts'
import { readPlan } from '../planning/parse-plan.ts'
import type { Proposal } from './proposal.ts'

/** The checks that the plan names. */
export function checksOfPlan(state: SessionState): readonly Proposal[] {
  const { plan } = artifactsOf(state)
  const reading = plan && readPlan(plan, shownText(state.task ?? ''))
  if (reading === null) return []
  const { commands } = reading
  return commands.map((command, index) => ({
    command,
    text:
      criterionNaming(reading.criteria, command) ??
      paired(reading.criteria, commands, index) ??
      `\`${command}\` succeeds`,
    source: 'plan',
  }))
}

function criterionNaming(criteria: readonly string[], command: string): string | undefined {
  return criteria.find((criterion) => criterion.includes(`\`${command}\``))
}

/** Criteria and commands are paired by position if there are equally many and no criterion names another command. */
function paired(criteria: readonly string[], commands: readonly string[], index: number): string | undefined {
  return criteria.length === commands.length && !criteria.some((each) => each.includes('`'))
    ? criteria[index]
    : undefined
}
