import { normalized } from '../text/normalized.ts'
import { namesPath } from '../text/has-concrete-anchor.ts'
import { phrases, says } from '../text/phrases.ts'
import { significantWords } from '../text/significant-words.ts'
import { wordsOf } from '../text/words.ts'
import { type BriefReading, nothingRuledOut } from './brief-reading.ts'
import {
  type ClarifyPressure,
  type ClarifySlot,
  clarifySlots,
  type ClarifyStage,
  type ReadinessGate,
} from './clarify-slots.ts'

export interface AnsweredRound {
  readonly brief: BriefReading
  readonly task: string
  /** The user's answer; empty if there was none. */
  readonly answer: string
  /** Counted from 1. */
  readonly round: number
  /** Whether an earlier answer has named a boundary. */
  readonly pressurePassComplete?: boolean
}

export interface AnswerAssessment {
  readonly isShort: boolean
  readonly isBroad: boolean
  /** The questions that are still open, in the order of asking. */
  readonly unresolved: readonly ClarifySlot[]
  /** What to ask next; null if all is settled. */
  readonly focus: ClarifySlot | null
  readonly pressurePassComplete: boolean
  readonly missingGates: readonly ReadinessGate[]
  /** What the next question insists on; null for a plain question. */
  readonly pressure: ClarifyPressure | null
  readonly stage: ClarifyStage
}

const broad = phrases({
  exact: ['better, nicer, cleaner, improve it, fix it, something, somehow, maybe, around there'],
})
const boundary = phrases({
  exact: [
    "do not, don't, dont, must not, mustn't, never, no changes, nothing else, without touching, keep, leave, unchanged",
    'untouched, as is, as it is, out of scope, not in scope, avoid, only, stop and ask, confirm first, ask first',
    'ask me first, check with me, ask before, except',
  ],
})
const ofRepository = phrases({
  nouns: [
    'repo, repository, codebase, module, package, file, folder, directory, function, class, test, component, endpoint',
    'script',
  ],
})
const fewWords = 4

/** Assesses which questions an answer, and the brief written from it, leave open. */
export function assessAnswer(answered: AnsweredRound): AnswerAssessment {
  const { brief, task, answer, round } = answered
  const words = wordsOf(answer)
  const isShort = words.length < fewWords
  const isBroad = says(words, broad)
  const pressurePassComplete = answered.pressurePassComplete === true || says(words, boundary)
  const open = clarifySlots.filter((slot) => isUnresolved(slot, brief, task, isBroad))
  const unresolved = inOrderOfAsking(open, isBroad ? 'likely_touchpoints' : isShort ? 'desired_outcome' : undefined)
  const missingGates = gatesMissing(open, round, pressurePassComplete)
  return {
    isShort,
    isBroad,
    unresolved,
    focus: unresolved[0] ?? null,
    pressurePassComplete,
    missingGates,
    pressure: round >= 2 && !pressurePassComplete && open.length > 0 ? pressureFor(isBroad, missingGates) : null,
    stage: missingGates.length > 0 ? 'readiness' : open.includes('desired_outcome') ? 'intent' : 'boundaries',
  }
}

function isUnresolved(
  slot: ClarifySlot,
  { sections, explicit }: BriefReading,
  task: string,
  isBroad: boolean,
): boolean {
  const items = sections[slot]
  const isSaid = explicit.includes(slot)
  switch (slot) {
    case 'likely_touchpoints':
      return !isSaid && (isBroad || isAboutRepository(task))
    case 'non_goals':
      return !isSaid || items.every((item) => normalized(item) === normalized(nothingRuledOut))
    case 'decision_boundaries':
      return !isSaid || items.length === 0
    case 'acceptance_criteria':
      return !isSaid || (items.length > 0 && items.every((item) => restates(item, task)))
    case 'desired_outcome':
    case 'constraints':
      return !isSaid
    default:
      return slot satisfies never
  }
}

function isAboutRepository(task: string): boolean {
  return namesPath(task) || says(wordsOf(task), ofRepository)
}

/** A criterion that only repeats the words of the task does not say when it is met. */
function restates(criterion: string, task: string): boolean {
  const ofTask = significantWords(task)
  return [...significantWords(criterion)].every((word) => ofTask.has(word))
}

function inOrderOfAsking(open: readonly ClarifySlot[], first: ClarifySlot | undefined): ClarifySlot[] {
  return first !== undefined && open.includes(first) ? [first, ...open.filter((slot) => slot !== first)] : [...open]
}

function gatesMissing(
  open: readonly ClarifySlot[],
  round: number,
  pressurePassComplete: boolean,
): readonly ReadinessGate[] {
  const gates = ['non_goals', 'decision_boundaries'] as const
  return [
    ...gates.filter((gate) => open.includes(gate)),
    ...(round >= 2 && !pressurePassComplete ? (['pressure_pass'] as const) : []),
  ]
}

function pressureFor(isBroad: boolean, missingGates: readonly ReadinessGate[]): ClarifyPressure {
  if (isBroad) return 'example'
  return missingGates.some((gate) => gate !== 'pressure_pass') ? 'tradeoff' : 'assumption'
}
