import { type Claim, fold, LoaderError, type SessionState, type StoredEvent } from '@loader/session-core'
import type { FileSessionStore } from '@loader/session-fs'
import { claimedBy, eventBy, opened, owner } from './events.ts'

/** How a step ended: `ok`, or the code of the error. */
export type Outcome = string

/** Small, so that the script seals twice. */
export const scriptRotation = 1500

export interface Part {
  /** Who its events are by. */
  readonly by: string
  readonly expect: 'new' | 'existing'
  /** Told of every event as it is written: when it is handed in, and what came of it. */
  readonly submitted?: (line: string) => void
  readonly settled: (line: string, outcome: Outcome) => void
  readonly failed?: (error: unknown) => void
}

/**
 * All that a writer does in its life, a step at a time: it opens or continues a session, appends, streams, keeps a long
 * text, saves, seals, and gives the session free. After an error it goes on with the next step, as if it had not
 * understood. No event is like another, so that one that was refused can be told from the one that took its place.
 */
export async function runScript(store: FileSessionStore, id: string, part: Part): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let claim: Claim | undefined
  let state: SessionState | null = null
  let attempts = 0
  const step = async (work: () => Promise<unknown>) => outcomes.push(await outcomeOf(work, part))
  const next = (ahead = 0): StoredEvent => {
    attempts += 1
    return eventBy(`${part.by}${attempts}`, (state?.seq ?? 0) + 1 + ahead)
  }
  const append = async (level: 'flush' | 'os', events: readonly StoredEvent[]) => {
    // Nothing comes before the opening, also when that was refused the first time.
    if (state === null) events = [opened(id), claimedBy(claim?.writer.epoch ?? 0, 2)]
    const lines = events.map((event) => JSON.stringify(event))
    for (const line of lines) part.submitted?.(line)
    const outcome = await outcomeOf(async () => claim?.writer.append(events, level), part)
    for (const line of lines) part.settled(line, outcome)
    outcomes.push(outcome)
    if (outcome === 'ok') state = fold(events, state)
  }
  const save = async (index: boolean) => state && claim?.writer.save(state, { index })

  await step(async () => (claim = await store.claim(id, { owner, expect: part.expect })))
  if (claim === undefined) return outcomes
  const { writer, events: found, state: saved } = claim
  state = fold(found, saved)
  await append('flush', [claimedBy(writer.epoch, (state?.seq ?? 0) + 1)])
  await step(() => save(true))
  await append('flush', [next()])
  await append('flush', [next(), next(1)])
  await append('os', [next()])
  await step(() => save(false))
  await step(() => writer.blobs.put(`A long text of ${part.by}.`))
  for (let count = 0; count < 5; count += 1) await append('flush', [next()])
  await append('os', [next()])
  for (let count = 0; count < 4; count += 1) await append('flush', [next()])
  await step(() => save(true))
  await step(() => writer.release())
  return outcomes
}

async function outcomeOf(work: () => Promise<unknown>, { failed }: Part): Promise<Outcome> {
  try {
    await work()
    return 'ok'
  } catch (error) {
    failed?.(error)
    if (LoaderError.is(error)) return error.code
    return `not a LoaderError: ${error instanceof Error ? error.stack : String(error)}`
  }
}
