import { rmSync } from 'node:fs'
import { sample, tier } from '@loader/test-tier'
import { afterAll, describe, expect, test } from 'vitest'
import * as sessionFs from '../src/index.ts'
import {
  foreignRecord,
  type Hunt,
  load,
  type Mutant,
  mutated,
  powerCut,
  lostLocks,
  refusedWrite,
  replacedJournal,
  secondPowerCut,
  takeover,
  takeoverBeforeFirst,
  takeoverBetween,
  takeoverOfSaved,
  unsavedPowerCut,
} from './mutants.ts'

const inline = powerCut()
const pool = powerCut('pool')

const mutants: readonly Mutant[] = [
  {
    name: 'new files are not flushed before they get their name',
    file: 'disk/new-file.ts',
    find: '    await disk.flush(fd)\n',
    put: '',
    hunt: inline,
  },
  {
    name: 'the name of a replaced file is not flushed',
    file: 'disk/new-file.ts',
    find: '  await names.flush()\n  return temporary.bytes\n',
    put: '  return temporary.bytes\n',
    hunt: inline,
  },
  {
    name: 'the name of a new journal is not flushed',
    file: 'write/journal.ts',
    find: '      await flushName(names, path)\n',
    put: '',
    hunt: unsavedPowerCut,
  },
  {
    name: 'the name of a segment is not flushed before the next journal',
    file: 'write/publish-segment.ts',
    find: '  await disk.flushDirectory(layout.directory)\n  return { lastSeq: place',
    put: '  return { lastSeq: place',
    hunt: inline,
  },
  {
    name: 'names of new folders are not flushed',
    file: 'store.ts',
    find: '      await this.#disk.flushDirectory(dirname(folder))\n',
    put: '',
    hunt: inline,
  },
  {
    name: 'an append is acknowledged without a flush, inline',
    file: 'write/live-log.ts',
    find: '    if (inline) disk.flushInline(journal.fd)\n    else await',
    put: '    if (!inline) await',
    hunt: inline,
  },
  {
    name: 'an append is acknowledged without a flush, in the pool',
    file: 'write/live-log.ts',
    find: '    else await disk.flushInPool(journal.fd)\n',
    put: '',
    hunt: pool,
  },
  {
    name: 'the next journal begins before the segment is published',
    file: 'write/live-log.ts',
    find: '    await this.#publish()\n    await this.begin()\n',
    put: '    const live = this.#records\n    this.#records = []\n    await this.begin()\n    this.#records = live\n    await this.#publish()\n',
    hunt: inline,
  },
  {
    name: 'a displaced writer is not fenced',
    file: 'write/live-log.ts',
    find: '    await this.#put(journal, bytes, level)\n    this.#parts.lock.requireOwnership()\n',
    put: '    await this.#put(journal, bytes, level)\n',
    hunt: takeoverBetween,
  },
  {
    name: 'a journal that was replaced is written on',
    file: 'write/live-log.ts',
    find: 'if (this.#isInPlace(journal)) journal.advance',
    put: 'if (journal) journal.advance',
    hunt: replacedJournal,
  },
  {
    name: 'the journal that a first append begins is not fenced',
    file: 'write/live-log.ts',
    find: '        lock.requireOwnership()\n        // Another program put',
    put: '        // Another program put',
    hunt: takeoverBeforeFirst,
  },
  {
    name: 'a journal stands to which a displaced writer can still write',
    file: 'write/claim.ts',
    find: "const saved = before === 'ended' ? recoverAsSaved",
    put: 'const saved = before ? recoverAsSaved',
    hunt: takeoverOfSaved,
  },
  {
    name: 'the epoch does not rise above that of the records',
    file: 'write/claim.ts',
    find: 'return told <= found && found < epoch',
    put: 'return told <= found',
    hunt: lostLocks,
  },
  {
    name: 'what was refused is not overwritten',
    file: 'write/live-log.ts',
    find: '      if (isRefusal(error)) await journal.scrub(bytes.length)\n',
    put: '',
    hunt: refusedWrite,
  },
  {
    name: 'checksums are not chained',
    file: 'format/checksum.ts',
    find: '(crc32(data, previous) ^ mark)',
    put: '(crc32(data, 0 * previous) ^ mark)',
    hunt: foreignRecord,
  },
]

afterAll(() => rmSync(new URL('../.mutants', import.meta.url), { recursive: true, force: true }))

describe('taking out one obligation of the store', () => {
  const all: readonly Hunt[] = [...new Set(mutants.map(({ hunt }) => hunt)), takeover, secondPowerCut]
  // What survives has to be hunted to the end. The power of the package itself is cut in crash.test.ts as well.
  const cuts = new Set([inline, pool, unsavedPowerCut, secondPowerCut])
  const hunts = all.filter((hunt) => tier !== 'quick' || !cuts.has(hunt))

  test('is needed to find harm: the package itself survives every hunt', { timeout: 300_000 }, async () => {
    for (const hunt of hunts) expect(await hunt(sessionFs)).toBeUndefined()
  })

  test('can be tried: each change fits in one place of the sources', () => {
    expect(mutants.map(mutated)).toHaveLength(mutants.length)
  })

  test.each(sample(mutants, { quick: 2, ci: 6 }).map((mutant) => [mutant.name, mutant] as const))(
    'shows: %s',
    { timeout: 300_000 },
    async (name, mutant) => {
      const harm = await mutant.hunt(await load(mutant))
      console.log(`${name}\n    ${harm}`)
      expect(harm).toBeTypeOf('string')
    },
  )
})
