/**
 * Writes to several sessions at once until it is killed: groups, single events, streamed ones, saves, seals. Each line
 * that it prints says that everything up to an event is acknowledged.
 *
 *   node writer.ts <directory> <name of this run> <seed> <session>…
 */
import { writeSync } from 'node:fs'
import { fold, reduce, type SessionState, type SessionWriter } from '@loader/session-core'
import { type CommitMode, FileSessionStore } from '@loader/session-fs'
import { claimedBy, eventBy, opened, owner, randomNumbers } from './events.ts'

const [directory = '', run = '', seed = '', ...sessions] = process.argv.slice(2)
const modes: readonly CommitMode[] = ['inline', 'pool', 'auto']

await Promise.all(sessions.map((id, index) => write(id, index)))

async function write(id: string, index: number): Promise<void> {
  const random = randomNumbers(Number(seed) + index)
  const commit = modes[index % modes.length] as CommitMode
  const store = new FileSessionStore({ directory }, { commit, rotateAfterBytes: 2000 + Math.floor(random() * 14_000) })
  const { writer, state, events } = await store.claim(id, { owner, expect: run === '0' ? 'new' : 'existing' })
  const found = fold(events, state)
  const first = found === null ? [opened(id)] : []
  const greeting = [...first, claimedBy(writer.epoch, (found?.seq ?? 0) + first.length + 1)]
  await writer.append(greeting, 'flush')
  let known = fold(greeting, found) as SessionState
  say(id, known.seq)
  for (;;) known = await step(writer, known, random())
}

async function step(writer: SessionWriter, state: SessionState, chance: number): Promise<SessionState> {
  if (chance < 0.12) {
    await writer.save(state, { index: chance < 0.04 })
    return state
  }
  const level = chance < 0.4 ? 'os' : 'flush'
  const count = 1 + (Math.floor(chance * 100) % 6)
  const events = Array.from({ length: count }, (_unused, index) => eventBy(run, state.seq + 1 + index))
  // Half of the groups are one append, half are several that are enqueued in one tick.
  const groups = chance < 0.7 ? [events] : events.map((event) => [event])
  await Promise.all(
    groups.map(async (group) => {
      await writer.append(group, level)
      say(writer.id, group.at(-1)?.seq ?? 0)
    }),
  )
  return events.reduce((before, event) => reduce(before, event), state)
}

function say(id: string, seq: number): void {
  writeSync(1, `${id} ${seq}\n`)
}
