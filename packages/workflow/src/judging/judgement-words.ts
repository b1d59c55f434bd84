import type { Held, NotRun, TurnFinding, Unverified } from './judgement.ts'
import type { TurnJudgement } from './judge-turn.ts'
import { wholeCheck } from './shown.ts'

/** A judgement for people. */
export interface JudgementWords {
  /** One sentence. */
  readonly said: string
  /** What the user can do about it; absent if there is nothing to do. */
  readonly next?: string
  /** What else is worth knowing, a sentence each. */
  readonly notes: readonly string[]
}

/** Every text that people read about a judgement comes from here. */
export function judgementWords(judgement: TurnJudgement): JudgementWords {
  return { ...sentenceOf(judgement), notes: notesOf(judgement) }
}

type Sentence = Omit<JudgementWords, 'notes'>

function sentenceOf(finding: TurnFinding): Sentence {
  switch (finding.word) {
    case 'verified':
      return {
        said:
          finding.grade === 'fixed'
            ? `Verified: red before, green now, by checks as they were: ${list(finding.tests)}.`
            : `Verified: new checks fail without the change: ${list(finding.tests)}.`,
      }
    case 'accepted':
      return { said: `Accepted by ${finding.by} at ${finding.at}: ${list(Object.values(finding.what).flat())}.` }
    case 'held':
      return { said: heldWords(finding.why) }
    case 'present':
      return { said: 'The files are there; no check looks at what is in them.' }
    case 'unchecked':
      return { said: 'This project has no checks; nothing was verified.' }
    case 'rests_on':
      return restsOnWords(finding)
    case 'failed':
      return { said: `Failed: ${list(finding.tests)}.`, next: 'Fix the code, or take the change back.' }
    case 'unknown':
      return {
        said: `It is not known what these calls did: ${list(finding.calls)}.`,
        next: 'Look at what they were to change, and go on when you know.',
      }
    case 'stale':
      return {
        said: 'The checks were run on another state of the workspace or its environment.',
        next: 'Run them again: `loader check`.',
      }
    case 'unverified':
      return unverifiedWords(finding.why)
    default:
      return finding satisfies never
  }
}

function heldWords(why: Held): string {
  const said = 'Finished. Nothing that was green broke'
  switch (why.kind) {
    case 'no_check_speaks':
      return `${said}; no check speaks for the change itself.`
    case 'rooms_left_out':
      return `${said}, as far as it was tried; what would have shown more was left out.`
    case 'files_rewritten':
      return `${said}; the run of the check itself changes files of the project, so it does not speak for the change.`
    case 'tests_in_product':
      return `${said}; what speaks for the change lies in changed files that hold product and tests.`
    default:
      return why satisfies never
  }
}

function restsOnWords({ what, files }: Extract<TurnFinding, { word: 'rests_on' }>): Sentence {
  switch (what) {
    case 'aside':
      return {
        said: `Passes only with your changes to ${list(files)}.`,
        next: 'Look at the diff, and accept it if it is right: `/accept`.',
      }
    case 'ignored':
      return {
        said: `Passes only with ignored files as they are now: ${list(files)}.`,
        next: 'Let the check make them (a build), or accept them (`/accept`) if they belong to this machine.',
      }
    case 'suppressed':
      return {
        said: `Passes only because new comments silence it: ${list(files)}.`,
        next: 'Remove the comments and fix what they hide, or accept them: `/accept`.',
      }
    case 'undone':
      return {
        said: `The check itself makes these files what they were before: ${list(files)}.`,
        next: 'Change what they are made from, or accept them as they are now: `/accept`.',
      }
    default:
      return what satisfies never
  }
}

function unverifiedWords(why: Unverified): Sentence {
  switch (why.kind) {
    case 'could_not_run':
      return { said: `Not known: the check could not be run, because ${because(why.why)}.`, next: nextStep(why.why) }
    case 'red_before_and_now':
      return {
        said: 'Not verified: the check was red before, is red now, and does not tell one failure from another.',
        next: 'Read its output, or give a check that names what it tests.',
      }
    case 'still_red':
      return {
        said: `Not verified: still red, as before: ${list(why.tests)}.`,
        next: 'Fix these tests, or give a check for what the change is about.',
      }
    case 'canary_passed':
      return {
        said: 'Not verified: a test that must fail did not, so this check proves nothing.',
        next: 'Look at how the check starts its runner or script, and at what the changed modules do when they are loaded.',
      }
    case 'packages_changed':
      return {
        said: `Not verified: installed packages are not what they were: ${list(why.packages.map((it) => it.name))}.`,
        next: 'Install them again, or accept the change: `/accept`.',
      }
    case 'tests_gone':
      return {
        said: `Not verified: tests that passed before are missing or skipped: ${list(why.tests)}.`,
        next: 'Bring them back, or accept that they are gone: `/accept`.',
      }
    case 'strict_not_shown':
      return {
        said: `Not known: the check was not run with its tests and settings as they were, because ${because(why.why)}.`,
        next: nextStep(why.why),
      }
    case 'flaky':
      return {
        said: 'Not known: two runs of the same files gave different results.',
        next: 'Make the check give the same result each time.',
      }
    case 'old_evidence':
      return {
        said: 'Not known: it was checked by a version that did not keep what a judgement needs.',
        next: nextStep('not_tried'),
      }
    default:
      return why satisfies never
  }
}

function because(why: NotRun): string {
  switch (why) {
    case 'program_missing':
      return 'a program that it needs is not installed'
    case 'limit':
      return 'it took longer than the limit'
    case 'reach':
      return 'it needs a reach that it does not have'
    case 'cut_off':
      return 'it was cut off'
    case 'impossible':
      return 'this cannot be done here'
    case 'not_tried':
      return 'it was not tried'
    case 'no_walls':
      return 'there are no walls here to hold it, and you have not named it'
    default:
      return why satisfies never
  }
}

function nextStep(why: NotRun): string {
  switch (why) {
    case 'program_missing':
      return 'Install the program, and run `loader check`.'
    case 'limit':
      return 'Raise the limit, or name a faster check in `checks` of the settings.'
    case 'reach':
      return 'Give the check its `reach` in the settings.'
    case 'cut_off':
    case 'not_tried':
    case 'impossible':
      return 'Run `loader check`.'
    case 'no_walls':
      return 'Run `loader check`, or name in `checks` of the settings what may run without walls.'
    default:
      return why satisfies never
  }
}

function notesOf({ notes }: TurnJudgement): readonly string[] {
  const { flaky, oldFailures, unaccepted, leftOut, installed } = notes
  const roomsWhere = (isImpossible: boolean) => [
    ...new Set(leftOut.filter((it) => (it.why === 'impossible') === isImpossible).map((it) => it.room)),
  ]
  const [rooms, impossible] = [roomsWhere(false), roomsWhere(true)]
  return [
    ...(unaccepted.length === 0 ? [] : [`Still unaccepted: ${list(unaccepted)}.`]),
    ...(oldFailures.length === 0 ? [] : [`Failed before as well: ${list(oldFailures)}.`]),
    ...(flaky.length === 0 ? [] : [`Flaky, so counted neither way: ${list(flaky)}.`]),
    ...(rooms.length === 0 ? [] : [`Not tried: ${list(rooms)}.`]),
    ...(impossible.length === 0 ? [] : [`Cannot be tried with this check: ${list(impossible)}.`]),
    ...(installed.length === 0 ? [] : [`Installed: ${list(installed.map(({ name }) => name))}.`]),
  ]
}

const mostNamed = 5

function list(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).map((name) => (name === wholeCheck ? 'the check as a whole' : name))
  return names.length <= mostNamed ? shown.join(', ') : `${shown.join(', ')} and ${names.length - mostNamed} more`
}
