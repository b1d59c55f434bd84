import type { Check, PackageChange, TrialFacts, TrialSurvey } from '@loader/session-core/coding'
import { sortChanges } from './sort-changes.ts'

/** What `trialFacts` needs to know about a check and about the changes. */
export interface FactsRequest {
  readonly check: Pick<Check, 'source'>
  readonly survey: TrialSurvey
  readonly isSlow: boolean
  /** A call with the permission to install packages ran since they were last observed. */
  readonly mayHaveInstalled: boolean
}

/** Sorts what the workspace observed into the facts of a trial. */
export function trialFacts({ check, survey, isSlow, mayHaveInstalled }: FactsRequest): TrialFacts {
  const { source } = check
  const sorted = sortChanges(survey.changes, survey.view)
  const on = (...sides: readonly string[]) =>
    sorted.filter(({ lies }) => sides.includes(lies.side)).map(({ path }) => path)
  const byKey = sorted.flatMap(({ path, lies }) =>
    lies.side === 'by_key' ? [[path, [...lies.asideKeys]] as const] : [],
  )
  const product = on('product', 'mixed', 'by_key')
  // What the user has named is asked for: a program that it runs may be the work itself.
  const running = source === 'user' ? [] : product.filter((it) => survey.running.has(it))
  return {
    // A presence check belongs to no tree, so it counts as part of the before tree.
    isInBefore: source === 'presence' || survey.isInBefore,
    isSlow,
    shows: showsOf(check, survey),
    changed: {
      product,
      aside: on('aside', 'by_key'),
      fresh: sorted.filter(({ lies, change }) => lies.side === 'aside' && change === 'added').map(({ path }) => path),
      ...(byKey.length > 0 && { byKey: Object.fromEntries(byKey) }),
      ...(running.length > 0 && { running }),
      mixed: on('mixed'),
      ignored: [...survey.ignored],
      suppressed: [...survey.suppressed(product)],
    },
    packages: survey.packages.map((one) => ({ ...one, byInstall: mayHaveInstalled && isOfInstalling(one) })),
  }
}

/** An installation never changes a package that keeps its version, so such a change was made by other means. */
function isOfInstalling({ change }: Pick<PackageChange, 'change'>): boolean {
  return change !== 'edited'
}

/** A command chosen by a model shows behaviour only if a test runner reported its tests. */
function showsOf({ source }: Pick<Check, 'source'>, { namesTests }: TrialSurvey): TrialFacts['shows'] {
  switch (source) {
    case 'user':
    case 'project':
      return 'behaviour'
    case 'presence':
      return 'presence'
    default:
      return namesTests ? 'behaviour' : 'presence'
  }
}
