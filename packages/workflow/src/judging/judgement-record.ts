import type { Judgement } from '@loader/session-core/coding'
import type { CheckJudgement, TurnFinding } from './judgement.ts'
import type { TurnJudgement } from './judge-turn.ts'

const mostNames = 500

/** A judgement as events store it: each list is cut, and its length is kept. */
export function judgementRecord(judgement: TurnJudgement | CheckJudgement): Judgement {
  const { flaky, oldFailures, unaccepted, leftOut } = judgement.notes
  const rooms = [...new Set(leftOut.map((it) => `${it.room}: ${it.why}`))]
  return {
    word: judgement.word,
    ...detailsOf(judgement),
    ...named('flaky', flaky),
    ...named('oldFailures', oldFailures),
    ...named('unaccepted', unaccepted),
    ...named('leftOut', rooms),
  }
}

function detailsOf(finding: TurnFinding): Omit<Judgement, 'word'> {
  switch (finding.word) {
    case 'verified':
      return { why: finding.grade, ...named('tests', finding.tests) }
    case 'held':
      return { why: finding.why.kind }
    case 'rests_on':
      return { why: finding.what, ...named('files', finding.files), ...named('tests', finding.tests) }
    case 'failed':
      return named('tests', finding.tests)
    case 'unknown':
      return named('calls', finding.calls)
    case 'accepted':
      return {
        by: finding.by,
        at: finding.at,
        ...named('files', finding.what.files),
        ...named('packages', finding.what.packages),
        ...named('tests', finding.what.tests),
      }
    case 'unverified':
      return { why: finding.why.kind, ...whyDetails(finding.why) }
    case 'present':
    case 'unchecked':
    case 'stale':
      return {}
    default:
      return finding satisfies never
  }
}

function whyDetails(why: Extract<TurnFinding, { word: 'unverified' }>['why']): Omit<Judgement, 'word'> {
  switch (why.kind) {
    case 'could_not_run':
    case 'strict_not_shown':
      return { cause: why.why }
    case 'still_red':
    case 'tests_gone':
      return named('tests', why.tests)
    case 'packages_changed':
      return named(
        'packages',
        why.packages.map(({ name }) => name),
      )
    case 'red_before_and_now':
    case 'canary_passed':
    case 'flaky':
    case 'old_evidence':
      return {}
    default:
      return why satisfies never
  }
}

type Names = 'tests' | 'files' | 'packages' | 'calls' | 'flaky' | 'oldFailures' | 'unaccepted' | 'leftOut'

function named(key: Names, all: readonly string[]): Pick<Judgement, Names> {
  return all.length === 0 ? {} : { [key]: { count: all.length, names: all.slice(0, mostNames) } }
}
