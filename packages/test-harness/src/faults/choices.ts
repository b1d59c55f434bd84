import type { CrashModel } from './crash-states.ts'
import type { PendingChange } from './pending-changes.ts'
import { type Tear, tearsOf } from './tears.ts'

/** What a crash did to one pending change. */
export type Fate = 'undone' | 'kept' | Tear

export interface ChoiceOptions {
  readonly model: CrashModel
  readonly tears: readonly number[]
  readonly exhaustive: number
  readonly randomSubsets: number
  readonly random: () => number
}

/** The fates that a crash can choose for the pending changes; a choice may come twice. */
export function* choices(pending: readonly PendingChange[], options: ChoiceOptions): Generator<readonly Fate[]> {
  const open = pending.flatMap(({ durable }, index) => (durable ? [] : [index]))
  const tears = pending.map(({ change, durable }) =>
    change.kind === 'write' && !durable ? tearsOf(change, options.tears) : [],
  )
  for (const kept of subsets(open, options)) yield legal(pending, fates(kept), options.model)
  for (const index of open) {
    for (const tear of tears[index] as Tear[]) {
      for (const kept of surroundings(open, index, options))
        yield legal(pending, fates(kept, [index, tear]), options.model)
    }
  }
  for (const kept of randomSubsets(open, options)) {
    yield legal(
      pending,
      fates(kept).map((fate, index) => (fate === 'kept' ? someTear(tears[index] as Tear[], options.random) : fate)),
      options.model,
    )
  }

  function fates(kept: ReadonlySet<number>, torn?: readonly [index: number, tear: Tear]): Fate[] {
    return pending.map(({ durable }, index) => {
      if (torn?.[0] === index) return torn[1]
      return durable || kept.has(index) ? 'kept' : 'undone'
    })
  }
}

function* subsets(open: readonly number[], options: ChoiceOptions): Generator<ReadonlySet<number>> {
  if (open.length <= options.exhaustive) {
    yield* allSubsets(open)
    return
  }
  yield new Set(open)
  for (const [place, index] of open.entries()) {
    yield new Set(open.slice(0, place))
    yield new Set(open.filter((other) => other !== index))
    yield new Set([index])
  }
  yield* randomSubsets(open, options)
}

function* randomSubsets(open: readonly number[], { randomSubsets: count, random }: ChoiceOptions) {
  if (open.length <= 1) return
  for (let round = 0; round < count; round += 1) yield new Set(open.filter(() => random() < 0.5))
}

/**
 * The other changes to keep beside a torn write: every subset if there are few, otherwise all, the earlier ones, none.
 */
function surroundings(open: readonly number[], index: number, { exhaustive }: ChoiceOptions): ReadonlySet<number>[] {
  if (open.length * 2 <= exhaustive) return allSubsets(open.filter((other) => other !== index))
  return [new Set(open), new Set(open.filter((other) => other < index)), new Set()]
}

function allSubsets(open: readonly number[]): ReadonlySet<number>[] {
  return Array.from({ length: 2 ** open.length }, (_, mask) => new Set(open.filter((_index, bit) => mask & (1 << bit))))
}

function someTear(tears: readonly Tear[], random: () => number): Fate {
  if (tears.length === 0 || random() < 0.7) return 'kept'
  return tears[Math.floor(random() * tears.length)] as Tear
}

/** The choice without changes that cannot be on the disk while others are not. */
function legal(pending: readonly PendingChange[], chosen: Fate[], model: CrashModel): Fate[] {
  const undone = new Set<unknown>()
  let earliestUndone = Infinity
  for (const [index, { change, begun, completed, durable }] of pending.entries()) {
    if (change.kind !== 'entries' || durable) continue
    const isOutOfOrder = model === 'ordered' && begun > earliestUndone
    if (isOutOfOrder || undone.has(change.after)) chosen[index] = 'undone'
    if (chosen[index] !== 'undone') continue
    undone.add(change)
    earliestUndone = Math.min(earliestUndone, completed)
  }
  return chosen
}
