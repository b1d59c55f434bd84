import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LoaderError } from '@loader/session-core'
import { times } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { editTool, readTool, writeTool } from '../src/index.ts'
import { examine, toolContext } from './perform.ts'
import { secret, stage, type Stage } from './stage.ts'

const rounds = times({ quick: 60, ci: 4000, long: 40_000 })

/** Another process that swaps something of the workspace for a link out of it, for as long as it is used. */
async function swapping(path: string, target: string): Promise<AsyncDisposable> {
  const program = fileURLToPath(new URL('children/swapper.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [program, path, target], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout ?? child, 'data')
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) throw new Error('The child that swaps has ended early.')
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Does something again and again, at least until it has worked once, and counts what came of it. */
async function counted(act: (round: number) => Promise<string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let round = 0; round < rounds || counts['ok'] === undefined; round += 1) {
    const outcome = await act(round)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

test('while a folder is swapped for a link, no write goes where the link leads', async () => {
  await using place = await stage()
  const before = await readdir(place.outside)
  const tool = writeTool(place)
  const context = await toolContext()
  let counts: Record<string, number> = {}
  {
    await using _swapper = await swapping(join(place.root, 'a'), place.outside)
    counts = await counted(async (round) => {
      const examined = await examine(tool, { file_path: `a/new-${round}`, content: 'ours\n' }, context)
      if (!examined.valid) return 'invalid'
      if (examined.paths.some(({ inside }) => !inside)) return 'outside'
      return (await tool.run(examined, context)).outcome
    })
  }
  console.log(`writes into a folder that is swapped for a link: ${JSON.stringify(counts)}`)
  expect(await readdir(place.outside)).toEqual(before)
  // Otherwise nothing was swapped, or nothing was tried.
  expect(counts['outside']).toBeGreaterThan(0)
  expect(counts['ok']).toBeGreaterThan(0)
})

test('while a file is swapped for a link, no edit changes what the link leads to, and nothing of it is read', async () => {
  await using place = await stage()
  const [edit, read] = [editTool(place), readTool(place)]
  const context = await toolContext()
  const target = join(place.outside, 'f')
  const told: string[] = []
  let counts: Record<string, number> = {}
  {
    await using _swapper = await swapping(join(place.root, 'f'), target)
    counts = await counted(async (round) => {
      const [old_string, new_string] = round % 2 === 0 ? ['inside', 'swapped'] : ['swapped', 'inside']
      const examined = await examine(edit, { file_path: 'f', old_string, new_string }, context)
      if (examined.valid && examined.paths.every(({ inside }) => inside))
        told.push((await edit.run(examined, context)).text)
      if (!examined.valid) told.push(examined.message)
      const reading = await examine(read, { file_path: 'f' }, context)
      if (!reading.valid || reading.paths.some(({ inside }) => !inside)) return 'not read'
      const { outcome, text } = await read.run(reading, context)
      told.push(text)
      return outcome
    })
  }
  console.log(`reads of a file that is swapped for a link: ${JSON.stringify(counts)}`)
  expect(await readFile(target, 'utf8')).toBe(secret)
  expect(told.filter((text) => text.includes(secret.trim()))).toEqual([])
  expect(counts['ok']).toBeGreaterThan(0)
})

test('the same race is lost by a write that checks first and then goes by the path', async () => {
  await using place = await stage()
  await using _swapper = await swapping(join(place.root, 'a'), place.outside)
  let escapes = 0
  while (escapes === 0) {
    await writeTrustingly(place, 'a/new').catch(ignoreMissing)
    escapes = (await readdir(place.outside)).includes('new') ? 1 : 0
  }
  expect(escapes).toBe(1)
})

async function writeTrustingly({ root }: Stage, name: string): Promise<void> {
  const path = join(root, name)
  await mkdir(dirname(path), { recursive: true })
  if (!(await realpath(dirname(path))).startsWith(root)) throw new LoaderError('storage_refused', 'It leads outside.')
  await writeFile(path, 'ours\n')
}

function ignoreMissing(error: unknown): void {
  const isMissing =
    error instanceof Error && 'code' in error && ['ENOENT', 'EEXIST', 'ENOTDIR'].includes(String(error.code))
  if (!isMissing && !LoaderError.is(error)) throw error
}
