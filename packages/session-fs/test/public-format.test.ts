import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import nodeFileSystem, { readFileSync } from 'node:fs'
import { LoaderError, stateVersion, type Verification } from '@loader/session-core'
import { needing, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { systemDisk } from '../src/disk/disk.ts'
import { layoutOf } from '../src/format/layout.ts'
import { FileSessionStore } from '../src/index.ts'
import { readEverything } from '../src/repair/read-everything.ts'
import { randomNumbers } from './children/events.ts'
import { damageOf } from './random-damage.ts'
import { type Sample, writeSamples } from './sample-shapes.ts'
import { place } from './sample-sessions.ts'

const reader = new URL('../../../docs/read_session.py', import.meta.url)
const damagedSessions = times({ quick: 6, ci: 1000, long: 5000 })

/** What the reader in Python prints for each session, and what the store says of it. */
interface Told {
  readonly session: string
  readonly verdict: 'intact' | 'torn tail' | 'damaged'
  readonly last: number
  readonly missing: readonly (readonly number[])[]
  /** Of the events that are intact, each with a newline behind it. */
  readonly sha256: string
}

function lackOfPython(): string | undefined {
  try {
    execFileSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'there is no python3 of version 3.9 or later'
  }
}

const lack = lackOfPython()

/** One process for all of them: starting it takes longer than reading a session. */
function toldByPython(root: string, sessions: readonly string[]): Told[] {
  const printed = execFileSync('python3', [reader.pathname, ...sessions], { cwd: root, maxBuffer: 2 ** 28 })
  return printed
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Told => JSON.parse(line))
}

/** What is known only to who knows what events mean; the reader in Python knows bytes alone. */
const ofMeaning = ['invalid_event', 'impossible_event', 'snapshot_differs']

async function toldByStore(root: string, session: string): Promise<Told> {
  const [folder = '', id = ''] = session.split('/')
  const store = new FileSessionStore({ directory: `${root}/${folder}` })
  const { events, findings } = await store.verify(id)
  const damages = findings.filter(({ severity, what }) => severity === 'damage' && !ofMeaning.includes(what))
  const isTorn = findings.some(({ what }) => what === 'torn_tail')
  return {
    session,
    verdict: damages.length > 0 ? 'damaged' : isTorn ? 'torn tail' : 'intact',
    last: events.last,
    missing: events.missing.map(({ first, last }) => [first, last]),
    sha256: await hashOf(store, id, events),
  }
}

/** Of what stands between the gaps. Whatever is read from the beginning of each has to be that, as far as it goes. */
async function hashOf(store: FileSessionStore, id: string, { last, missing }: Verification['events']): Promise<string> {
  const { events } = readEverything(systemDisk(nodeFileSystem, 'auto'), layoutOf(store.directory, id), id, 'own')
  const hash = createHash('sha256')
  const starts = [1, ...missing.map((gap) => gap.last + 1)]
  const ends = [...missing.map((gap) => gap.first - 1), last]
  for (const [index, from] of starts.entries()) {
    const to = ends[index] ?? 0
    for (let seq = from; seq <= to; seq += 1) hash.update(`${events.get(seq)}\n`)
    if (from <= to) await requireRightRead(store, id, { fromSeq: from, toSeq: to }, events)
  }
  return hash.digest('hex')
}

async function requireRightRead(
  store: FileSessionStore,
  id: string,
  { fromSeq, toSeq }: { readonly fromSeq: number; readonly toSeq: number },
  events: ReadonlyMap<number, string>,
): Promise<void> {
  let read = fromSeq - 1
  try {
    for await (const event of store.read(id, { fromSeq })) {
      // Reading also takes what only the file behind it vouches for.
      if (event.seq > toSeq) return
      read = event.seq
      const known = events.get(event.seq)
      if (known !== undefined) expect(JSON.stringify(event)).toBe(known)
    }
  } catch (error) {
    if (!LoaderError.is(error, 'session_damaged')) throw error
  }
  expect(read, `the last event that is read from ${fromSeq} on`).toBe(toSeq)
}

describe('docs/read_session.py', () => {
  test('takes the states of this version for its own, and no others', () => {
    const versions = [...readFileSync(reader, 'utf8').matchAll(/'stateVersion'(?:, (\d+))?\) .= (\d+)/g)]
    expect(versions.flatMap(([, given, compared]) => [given ?? compared, compared])).toEqual(
      Array.from({ length: 4 }, () => `${stateVersion}`),
    )
  })

  test('is short, and needs nothing but Python', () => {
    const text = readFileSync(reader, 'utf8')
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(100)
    const imports = [...text.matchAll(/^(?:import|from) (.*)$/gm)].map(([, names]) => names)
    expect(imports).toEqual(['collections, hashlib, json, os, re, sys', 'zlib import crc32'])
  })

  test.skipIf(lack !== undefined)(
    needing(lack, `reads sessions of every kind, and ${damagedSessions} damaged ones, as the store does`),
    { timeout: 3_600_000 },
    async () => {
      await using at = await place()
      const root = at.workspace.root
      const samples = await writeSamples(at)
      const random = randomNumbers(11)
      const damaged = Array.from({ length: damagedSessions }, (_unused, index) =>
        damageOf(samples[Math.floor(random() * samples.length)] as Sample, samples, `${root}/damaged-${index}`, random),
      )
      const what = new Map(damaged.map((each) => [each.session, each.what]))
      const sessions = [...samples.map(({ session }) => session), ...damaged.map(({ session }) => session)]
      const python = toldByPython(root, sessions)
      const differing = []
      const counts = new Map<string, number>()
      for (const [index, session] of sessions.entries()) {
        const store = await toldByStore(root, session).catch((error: unknown) => ({ session, error: String(error) }))
        if (!('verdict' in store) || JSON.stringify(store) !== JSON.stringify(python[index]))
          differing.push({ what: what.get(session), store, python: python[index] })
        else counts.set(store.verdict, (counts.get(store.verdict) ?? 0) + 1)
      }
      console.log(`${samples.length} sessions and ${damaged.length} damaged ones`, counts)
      expect(differing).toEqual([])
    },
  )
})
