import type { Acceptance } from '@loader/session-core/coding'
import type { Accepted, CheckFinding, CheckJudgement } from './judgement.ts'

/** What the user would have to accept to remove the objection. Undefined if accepting cannot remove it. */
export function acceptable(finding: CheckFinding): Accepted | undefined {
  const nothing: Accepted = { files: [], packages: [], tests: [] }
  if (finding.word === 'rests_on') return { ...nothing, files: finding.files }
  if (finding.word !== 'unverified') return undefined
  const { why } = finding
  if (why.kind === 'packages_changed') return { ...nothing, packages: why.packages.map(({ name }) => name) }
  return why.kind === 'tests_gone' ? { ...nothing, tests: why.tests } : undefined
}

/**
 * The judgement after the user accepted something. It changes only if everything that it rests on was accepted.
 */
export function acceptJudgement(
  judgement: CheckJudgement,
  { by, at, ...accepted }: Acceptance & { readonly at: string },
): CheckJudgement {
  const { files = [], packages = [], tests = [] } = accepted
  const unaccepted = judgement.notes.unaccepted.filter((path) => !files.includes(path))
  const notes = { ...judgement.notes, unaccepted }
  const what = acceptable(judgement)
  if (what === undefined) return { ...judgement, notes }
  const isWhole =
    what.files.every((it) => files.includes(it)) &&
    what.packages.every((it) => packages.includes(it)) &&
    what.tests.every((it) => tests.includes(it))
  return isWhole ? { word: 'accepted', by, at, what, notes } : { ...judgement, notes }
}
