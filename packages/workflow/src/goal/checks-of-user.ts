import type { SessionState, Turn } from '@loader/session-core'
import { judgementFrom } from '../judging/judgement-from.ts'
import { objects } from '../judging/judgement.ts'
import { evidenceOf } from './evidence-of.ts'
import type { Proposal } from './proposal.ts'

/**
 * The checks that the user requires: given with this task, with an earlier task that is not met yet, or in the
 * settings. An empty list removes them.
 */
export function checksOfUser(state: SessionState, { doneWhen }: Turn): readonly Proposal[] {
  if (doneWhen !== undefined) return doneWhen.map(asProposal)
  const unmet = unmetOf(state)
  if (unmet.length > 0) return unmet
  return (state.policy?.checks ?? []).filter(({ when }) => when !== 'end').map(asProposal)
}

type Given = Omit<Proposal, 'text' | 'source'> & { readonly text?: string | undefined }

export function asProposal({ command, text, cwd, timeoutMs, reach, kind }: Given): Proposal {
  return { command, text: text ?? `\`${command}\` succeeds`, source: 'user', kind, cwd, timeoutMs, reach }
}

/** Checks given with an earlier task stay in force until they are met. */
function unmetOf(state: SessionState): readonly Proposal[] {
  const { goal } = state
  const checks = goal?.checks.filter(({ source }) => source === 'user') ?? []
  const isMet = checks.every((check) => {
    const judgement = evidenceOf(state, check)?.judgement
    return judgement !== undefined && !objects(judgementFrom(judgement).word)
  })
  if (goal === null || isMet) return []
  return checks.map(({ id, ...check }) =>
    asProposal({ ...check, text: goal.criteria.find(({ checkIds }) => checkIds.includes(id))?.text }),
  )
}
