import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wallsAround } from '@loader/workspace'
import { expect, test } from 'vitest'
import { localTools } from '../src/index.ts'
import { noNamespace } from './bubblewrap.ts'
import { perform, toolContext } from './perform.ts'

const looks = ['lstatSync', 'statSync', 'readdirSync', 'openSync', 'readFileSync'] as const

/** How often this process looks at files and folders meanwhile, the work of other threads left out. */
async function looksOf(work: () => Promise<unknown>): Promise<number> {
  const real = { ...fs }
  let count = 0
  for (const name of looks) {
    Object.assign(fs, {
      [name]: (...words: readonly unknown[]) => {
        count += 1
        return Reflect.apply(real[name], fs, words)
      },
    })
  }
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    for (const name of looks) Object.assign(fs, { [name]: real[name] })
    syncBuiltinESMExports()
  }
  return count
}

/** What it takes to read a file, once the walls were worked out, in a workspace with so many folders. */
async function looksToRead(folders: number): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'loader-read-'))
  try {
    for (let number = 0; number < folders; number += 1) mkdirSync(join(root, `folder-${number}`))
    writeFileSync(join(root, 'a.txt'), 'a\n')
    const walls = wallsAround({ root })
    expect(await walls.state()).toMatchObject({ state: 'held' })
    const read = localTools({ root, walls }).find(({ name }) => name === 'read')
    if (read === undefined) throw new Error('There is no tool that reads.')
    const context = await toolContext({ sessionId: 'ses_test' })
    const reading = async () =>
      expect(await perform(read, { file_path: 'a.txt' }, context)).toMatchObject({ outcome: 'ok' })
    await reading()
    return await looksOf(reading)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

test.skipIf(noNamespace !== undefined)(
  'reading a file within walls takes a few looks, however many folders the workspace has',
  { timeout: 60_000 },
  async () => {
    const few = await looksToRead(2)
    expect(few).toBeGreaterThan(0)
    expect(few).toBeLessThan(60)
    expect(await looksToRead(200)).toBe(few)
  },
)
