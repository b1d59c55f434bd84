import type { History, JsonValue } from '@loader/session-core'
import { conversationOf } from './conversation.ts'
import type { ShowEntry, ShownCall, ShownHook, ShownMessage } from './schemas/show.ts'
import type { Texts } from './words/texts.ts'

/** What differs first between two entries. `entry`: they differ in kind or in speaker. */
export type DifferentPart = 'entry' | 'words' | 'thinking' | 'files' | 'calls' | 'call' | 'permit' | 'result' | 'end'

/** What stands side by side: an entry of each session, or of one of them alone. */
export interface ComparedEntries {
  readonly left: ShowEntry | null
  readonly right: ShowEntry | null
  /** Null where they are the same in everything but ids and times. */
  readonly differs: DifferentPart | null
}

/** Two sessions side by side. */
export interface Comparison {
  /** What both begin with. */
  readonly common: readonly ShowEntry[]
  /** What follows; the first of them is the first difference. Empty when nothing differs. */
  readonly rows: readonly ComparedEntries[]
}

/** A session to compare, with the long texts that are at hand. */
export interface Comparable {
  readonly history: History
  readonly texts?: Texts
}

/**
 * Two sessions side by side, from what both begin with on. Behind the first difference, turns stand beside turns; within a
 * turn, what is the same at its end stands side by side.
 */
export function comparisonOf(left: Comparable, right: Comparable): Comparison {
  const [one, other] = [left, right].map(({ history, texts }) => conversationOf(history, texts)) as [
    ShowEntry[],
    ShowEntry[],
  ]
  const shorter = Math.min(one.length, other.length)
  let common = 0
  while (common < shorter && differenceOf(one[common], other[common]) === null) common += 1
  return { common: one.slice(0, common), rows: pairedTurns(one.slice(common), other.slice(common)) }
}

function pairedTurns(left: readonly ShowEntry[], right: readonly ShowEntry[]): ComparedEntries[] {
  const [lefts, rights] = [inTurns(left), inTurns(right)]
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, index) =>
    paired(lefts[index] ?? [], rights[index] ?? []),
  ).flat()
}

/** Cut before each task of the user. */
function inTurns(entries: readonly ShowEntry[]): ShowEntry[][] {
  const turns: ShowEntry[][] = []
  for (const entry of entries) {
    const turn = turns.at(-1)
    if (turn === undefined || (entry.kind === 'message' && entry.origin === 'input' && turn.length > 0))
      turns.push([entry])
    else turn.push(entry)
  }
  return turns
}

/** What is the same at the end stands side by side, and so does the rest from its beginning on. */
function paired(left: readonly ShowEntry[], right: readonly ShowEntry[]): ComparedEntries[] {
  const shorter = Math.min(left.length, right.length)
  let end = 0
  while (end < shorter && differenceOf(left.at(-1 - end), right.at(-1 - end)) === null) end += 1
  const [leftEnd, rightEnd] = [left.length - end, right.length - end]
  const before = Array.from({ length: Math.max(leftEnd, rightEnd) }, (_, index) =>
    beside(index < leftEnd ? left[index] : undefined, index < rightEnd ? right[index] : undefined),
  )
  const after = left.slice(leftEnd).map((entry, index) => beside(entry, right[rightEnd + index]))
  return [...before, ...after]
}

function beside(left: ShowEntry | undefined, right: ShowEntry | undefined): ComparedEntries {
  return { left: left ?? null, right: right ?? null, differs: differenceOf(left, right) }
}

/** What differs first, in the order in which people read an entry. Ids, numbers and times always do. */
function differenceOf(left: ShowEntry | undefined, right: ShowEntry | undefined): DifferentPart | null {
  if (left === undefined || right === undefined || left.kind !== right.kind) return 'entry'
  switch (left.kind) {
    case 'message':
      return messageDifference(left, right as ShownMessage)
    case 'turn_end':
      return same(endOf(left), endOf(right as typeof left)) ? null : 'end'
    case 'gap':
    case 'background':
    case 'child':
    case 'moved':
      return same(withoutPlace(left), withoutPlace(right)) ? null : 'entry'
    case 'hook':
      return same(saidBy(left), saidBy(right as typeof left)) ? null : 'entry'
    default:
      return left satisfies never
  }
}

/** How long it took, and the ids that it was given, always differ. */
function saidBy({ hook, on, decision, text }: ShownHook) {
  return { hook, on, decision, text }
}

function messageDifference(left: ShownMessage, right: ShownMessage): DifferentPart | null {
  if (left.role !== right.role || left.origin !== right.origin || left.source !== right.source) return 'entry'
  if (left.text !== right.text || left.interrupted !== right.interrupted) return 'words'
  if (left.reasoning !== right.reasoning) return 'thinking'
  if (!same(left.files, right.files) || !same(left.quoted, right.quoted)) return 'files'
  if (left.calls.length !== right.calls.length) return 'calls'
  for (const [index, call] of left.calls.entries()) {
    const part = callDifference(call, right.calls[index] as ShownCall)
    if (part !== null) return part
  }
  return null
}

function callDifference(left: ShownCall, right: ShownCall): DifferentPart | null {
  if (left.name !== right.name || !same(left.input, right.input)) return 'call'
  if (left.permit !== right.permit) return 'permit'
  return left.outcome === right.outcome && left.result === right.result && same(left.files, right.files)
    ? null
    : 'result'
}

function endOf({ turn: { reason, verdict, judgement, summary } }: Extract<ShowEntry, { kind: 'turn_end' }>) {
  return [reason, verdict, judgement?.word, summary]
}

function withoutPlace({ seq: _seq, at: _at, standing: _standing, ...rest }: ShowEntry): object {
  return rest
}

/** Values as JSON has them, whatever the order of keys. */
function same(one: unknown, other: unknown): boolean {
  return one === other || inOrder(one) === inOrder(other)
}

function inOrder(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: JsonValue) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    ) ?? ''
  )
}

/** Where two texts part: what both begin with, what each has of its own, what both end with. Never inside of a word. */
export function textDifference(
  left: string,
  right: string,
): { readonly start: string; readonly left: string; readonly right: string; readonly end: string } {
  const [one, other] = [wordsOf(left), wordsOf(right)]
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start += 1
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  return {
    start: one.slice(0, start).join(''),
    left: one.slice(start, one.length - end).join(''),
    right: other.slice(start, other.length - end).join(''),
    end: one.slice(one.length - end).join(''),
  }
}

/** Words and what stands between them; joined again they are the text. */
function wordsOf(text: string): string[] {
  return text.split(/(\s+)/)
}
