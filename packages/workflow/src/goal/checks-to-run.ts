import type { SessionState } from '@loader/session-core'
import type { Check, Policy, ProjectFacts } from '@loader/session-core/coding'
import { asProposal } from './checks-of-user.ts'
import { checksIn } from './checks-of-project.ts'
import { checkFor } from './proposal.ts'

/**
 * The checks that run when the user asks for a check run: all of the settings. If there are none there, those that the
 * user gave to this session and those that the project declares.
 */
export function checksToRun(
  state: Pick<SessionState, 'goal'> | null,
  facts: ProjectFacts,
  settings: Policy['checks'] = [],
): readonly Check[] {
  if (settings.length > 0) return settings.map((one) => checkFor(asProposal(one)))
  const given = state?.goal?.checks.filter(({ source }) => source === 'user') ?? []
  const declared = checksIn(facts).map(checkFor)
  return [...given, ...declared.filter(({ id }) => !given.some((one) => one.id === id))]
}
