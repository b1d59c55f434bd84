/**
 * Writes to several sessions at once until the power goes, one in each way to commit: groups, single events, streamed
 * ones, saves, seals. What is safe from a power cut goes into a file elsewhere, a number for each session.
 *
 *   node cut-writer.ts <directory> <file for the numbers> <seed> <flushing | not-flushing> <session>…
 */
import fs, { openSync, writeSync } from 'node:fs'
import { fold, reduce, type SessionState, type SessionWriter } from '@loader/session-core'
import { type CommitMode, FileSessionStore, type FileSystem } from '@loader/session-fs'
import { claimedBy, eventBy, opened, owner, randomNumbers } from '../children/events.ts'

const [directory = '', numbers = '', seed = '', flushing = '', ...sessions] = process.argv.slice(2)
const modes: readonly CommitMode[] = ['inline', 'pool', 'auto']
const fd = openSync(numbers, 'r+')

/** A system on which no flush does anything: what the test finds there, it would find in the store as well. */
const neverFlushing: FileSystem = {
  ...fs,
  fsyncSync: () => undefined,
  fdatasyncSync: () => undefined,
  fsync: (_fd, done) => setImmediate(done, null),
  fdatasync: (_fd, done) => setImmediate(done, null),
}

const begun = await Promise.all(sessions.map((id, index) => begin(id, index)))
console.log('busy')
await Promise.all(begun.map((goOn) => goOn()))

async function begin(id: string, index: number): Promise<() => Promise<never>> {
  const random = randomNumbers(Number(seed) + index)
  const store = new FileSessionStore(
    { directory },
    {
      commit: modes[index % modes.length] as CommitMode,
      rotateAfterBytes: 4000 + Math.floor(random() * 60_000),
      fileSystem: flushing === 'flushing' ? fs : neverFlushing,
    },
  )
  const { writer } = await store.claim(id, { owner, expect: 'new' })
  const greeting = [opened(id), claimedBy(writer.epoch, 2)]
  await writer.append(greeting, 'flush')
  say(index, 2)
  let state = fold(greeting) as SessionState
  return async () => {
    for (;;) state = await step(writer, state, index, random())
  }
}

async function step(writer: SessionWriter, state: SessionState, index: number, chance: number): Promise<SessionState> {
  if (chance < 0.05) {
    await writer.save(state, { index: chance < 0.02 })
    // A save makes everything before it durable.
    say(index, state.seq)
    return state
  }
  const level = chance < 0.3 ? 'os' : 'flush'
  const count = 1 + (Math.floor(chance * 100) % 6)
  const events = Array.from({ length: count }, (_unused, place) => eventBy(writer.id, state.seq + 1 + place))
  // Half of the groups are one append, half are several that are enqueued in one tick.
  const groups = chance < 0.65 ? [events] : events.map((event) => [event])
  await Promise.all(
    groups.map(async (group) => {
      await writer.append(group, level)
      if (level === 'flush') say(index, group.at(-1)?.seq ?? 0)
    }),
  )
  return events.reduce((before, event) => reduce(before, event), state)
}

function say(index: number, seq: number): void {
  const number = Buffer.alloc(4)
  number.writeUInt32LE(seq)
  writeSync(fd, number, 0, 4, index * 4)
}
