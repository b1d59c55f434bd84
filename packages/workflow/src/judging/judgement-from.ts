import type { Judgement, NameList, NotShown, Room } from '@loader/session-core/coding'
import type { Held, Notes, TurnFinding, Unverified } from './judgement.ts'
import type { TurnJudgement } from './judge-turn.ts'

/**
 * Reads a recorded judgement. Lists hold as many entries as were recorded; a word of a later version reads as
 * unverified.
 */
export function judgementFrom(record: Judgement): TurnJudgement {
  return { ...findingIn(record), notes: notesIn(record) }
}

// Words are looked up, not parsed: the page reads judgements as well, and has no schemas.
const rooms = {
  now: true,
  as_is: true,
  before: true,
  canary: true,
  strict: true,
  unsuppressed: true,
  reversed: true,
  emptied: true,
} as const satisfies Readonly<Record<Room, true>>

const causes = {
  program_missing: true,
  limit: true,
  reach: true,
  cut_off: true,
  impossible: true,
  not_tried: true,
} as const satisfies Readonly<Record<NotShown, true>>

function oneOf<Word extends string>(words: Readonly<Record<Word, true>>, word: string | undefined): Word | undefined {
  return word !== undefined && Object.hasOwn(words, word) ? (word as Word) : undefined
}

const unknownWord: TurnFinding = { word: 'unverified', why: { kind: 'old_evidence' } }

function findingIn({ word, why, cause, by = '', ...lists }: Judgement): TurnFinding {
  const tests = names(lists.tests)
  const files = names(lists.files)
  switch (word) {
    case 'verified':
      return { word, grade: why === 'covered' ? 'covered' : 'fixed', tests }
    case 'held':
      return { word, why: heldIn(why) }
    case 'present':
    case 'unchecked':
      return { word }
    case 'rests_on':
      return { word, what: why === 'ignored' || why === 'suppressed' || why === 'undone' ? why : 'aside', files, tests }
    case 'failed':
      return { word, tests }
    case 'unknown':
      return { word, calls: names(lists.calls) }
    case 'accepted':
      return { word, by, at: lists.at ?? '', what: { files, packages: names(lists.packages), tests } }
    case 'stale':
      return { word, about: { tree: '', environment: '' } }
    case 'unverified':
      return { word, why: unverifiedIn(why, cause, { tests, packages: names(lists.packages) }) }
    default:
      return unknownWord
  }
}

function heldIn(why: string | undefined): Held {
  switch (why) {
    case 'rooms_left_out':
    case 'files_rewritten':
    case 'tests_in_product':
      return { kind: why }
    default:
      return { kind: 'no_check_speaks' }
  }
}

function unverifiedIn(
  why: string | undefined,
  cause: string | undefined,
  { tests, packages }: { readonly tests: readonly string[]; readonly packages: readonly string[] },
): Unverified {
  const known = oneOf(causes, cause) ?? 'not_tried'
  switch (why) {
    case 'could_not_run':
      return { kind: why, why: cause === 'no_walls' ? cause : known, alsoBefore: false }
    case 'strict_not_shown':
      return { kind: why, why: known }
    case 'still_red':
    case 'tests_gone':
      return { kind: why, tests }
    case 'packages_changed':
      return { kind: why, packages: packages.map((name) => ({ name, change: 'edited', byInstall: false })) }
    case 'red_before_and_now':
    case 'canary_passed':
    case 'flaky':
      return { kind: why }
    default:
      return { kind: 'old_evidence' }
  }
}

function notesIn({ flaky, oldFailures, unaccepted, leftOut }: Judgement): Notes {
  return {
    flaky: names(flaky),
    oldFailures: names(oldFailures),
    unaccepted: names(unaccepted),
    installed: [],
    leftOut: names(leftOut).flatMap((text) => {
      const [room, why] = text.split(': ')
      const known = { room: oneOf(rooms, room), why: oneOf(causes, why) }
      return known.room === undefined || known.why === undefined
        ? []
        : [{ room: known.room, why: known.why, again: false }]
    }),
  }
}

function names(list: NameList | undefined): readonly string[] {
  return list?.names ?? []
}
