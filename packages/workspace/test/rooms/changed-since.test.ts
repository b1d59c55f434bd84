import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { changedSince } from '../../src/rooms/changed-since.ts'

const options = { most: 10, signal: undefined }

/** A folder, and a moment at which everything in it is older. */
function folder() {
  const path = mkdtempSync(join(tmpdir(), 'since-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  const at = (name: string) => join(path, name)
  mkdirSync(at('deep'))
  for (const name of ['a', 'b', 'deep/c']) writeFileSync(at(name), name)
  const latest = Math.max(...['.', 'a', 'b', 'deep', 'deep/c'].map((name) => changedAt(at(name))))
  // The clock of the file system has to have gone on.
  touched(at('a'), () => chmodSync(at('a'), 0o600), latest + 2)
  return { path, at, now: changedAt(at('a')) + 1 }
}

/** Whole milliseconds. As a number with a fraction, what is just before one is rounded up to it. */
function changedAt(path: string): number {
  return Number(lstatSync(path, { bigint: true }).ctimeNs / 1_000_000n)
}

function touched(path: string, change: () => void, now: number): void {
  do change()
  while (changedAt(path) < now)
}

test('what was not changed is not named, and what was is, whatever time it pretends', async () => {
  const { path, at, now } = folder()
  expect(await changedSince(path, now, options)).toEqual({ paths: [], isCut: false })
  touched(at('deep/c'), () => writeFileSync(at('deep/c'), 'c'), now)
  utimesSync(at('deep/c'), 1, 1)
  expect(await changedSince(path, now, options)).toEqual({ paths: ['deep/c'], isCut: false })
})

test('where files are gone, their folder is named', async () => {
  const { path, at, now } = folder()
  rmSync(at('deep/c'))
  touched(at('deep'), () => chmodSync(at('deep'), 0o700), now)
  expect(await changedSince(path, now, options)).toEqual({ paths: ['deep'], isCut: false })
  expect(await changedSince(at('not there'), now, options)).toEqual({ paths: [], isCut: false })
})
