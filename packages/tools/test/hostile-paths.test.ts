import type { Examination, Tool, ToolContext, ToolResult } from '@loader/session-core/coding'
import { sample } from '@loader/test-tier'
import { afterAll, describe, expect, test } from 'vitest'
import { editTool, patchTool, readTool, writeTool } from '../src/index.ts'
import { type HostilePath, hostilePaths } from './hostile-paths.ts'
import { examine, examineValid, perform, toolContext } from './perform.ts'
import { secret, stage, type Stage } from './stage.ts'

interface Attempt {
  readonly name: string
  readonly input: object
  readonly examined: Examination<unknown>
  readonly run: () => Promise<ToolResult>
}

type Start = (place: Stage, path: string, context: ToolContext) => Promise<Attempt>

function attempt<Input>(make: (place: Stage) => Tool<Input>, inputFor: (path: string) => object): Start {
  return async (place, path, context) => {
    const tool = make(place)
    const input = inputFor(path)
    const examined = await examine(tool, input, context)
    const run = () => (examined.valid ? tool.run(examined, context) : Promise.reject(new Error(examined.message)))
    return { name: tool.name, input, examined, run }
  }
}

/** What is tried with each path, whether there is a file or not. */
const attempts: readonly Start[] = [
  attempt(readTool, (file_path) => ({ file_path })),
  attempt(writeTool, (file_path) => ({ file_path, content: 'ours\n' })),
  attempt(editTool, (file_path) => ({ file_path, old_string: secret, new_string: 'ours\n' })),
  attempt(editTool, (file_path) => ({ file_path, old_string: 'inside\n', new_string: 'ours\n' })),
  attempt(editTool, (file_path) => ({ file_path, old_string: 'nobody may see that\n', new_string: 'ours\n' })),
  attempt(patchTool, (file_path) => ({ file_path, hunks: [{ old_string: 'nobody can see this', new_string: '' }] })),
  attempt(patchTool, (file_path) => ({ file_path, patch: '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+ours\n' })),
  attempt(patchTool, (file_path) => ({ file_path, patch: `--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-${secret}` })),
  attempt(patchTool, (moved) => ({ patch: `diff --git a/f b/f\nrename from f\nrename to ${moved}\n` })),
]

const seen = { attempts: 0, refused: 0, reported: 0, ran: 0, escapes: 0 }
afterAll(() => console.log(`${hostilePaths.length} hostile paths: ${JSON.stringify(seen)}`))

describe('a hostile path leads nowhere that no permission was asked for', () => {
  test.each(sample(hostilePaths, { quick: 15 }))('$about', async (hostile) => {
    const waiting = [...attempts]
    while (waiting.length > 0) {
      await using place = await stage()
      await hostile.prepare?.(place)
      const untouched = await place.guarded()
      // What only looked has changed nothing, so that the next can be tried in the same place.
      while (
        waiting.length > 0 &&
        (await expectHarmless(hostile, waiting.shift() as Start, place, untouched)) !== 'ran'
      )
        continue
    }
  })
})

async function expectHarmless(
  hostile: HostilePath,
  start: Start,
  place: Stage,
  untouched: Guarded,
): Promise<keyof typeof seen> {
  const { name, input, examined, run } = await start(place, pathOf(hostile.path, place), await toolContext())
  const mayBeTold = hostile.staysInside === true || JSON.stringify(input).includes(secret.trim())
  seen.attempts += 1
  await expectContained(place, untouched, !mayBeTold && !examined.valid ? examined.message : '')
  if (!examined.valid) return counted('refused')
  if (examined.paths.some(({ inside }) => !inside)) return counted('reported')
  expect([hostile.staysInside, hostile.swap, hostile.readable && name === 'read'].some(Boolean)).toBe(true)
  await hostile.swap?.(place)
  const swapped = await place.guarded()
  const { outcome, text } = await run()
  if (hostile.swap && !hostile.staysInside) expect(outcome).toBe('failed')
  await expectContained(place, swapped, mayBeTold ? '' : text)
  return counted('ran')
}

type Guarded = Awaited<ReturnType<Stage['guarded']>>

async function expectContained(place: Stage, before: Guarded, told: string): Promise<void> {
  const after = await place.guarded()
  const isTold = told.includes(secret.trim())
  if (isTold || JSON.stringify(after) !== JSON.stringify(before)) seen.escapes += 1
  expect(isTold).toBe(false)
  expect(after).toEqual(before)
}

function counted(what: keyof typeof seen): keyof typeof seen {
  seen[what] += 1
  return what
}

describe('its benign twin works', () => {
  test.each(sample(hostilePaths, { quick: 5 }))('beside $about', async (twin) => {
    await using place = await stage()
    await twin.prepareBenign?.(place)
    const file_path = pathOf(twin.benign, place)
    const context = await toolContext()
    const write = writeTool(place)
    const examined = await examineValid(write, { file_path, content: 'ours\n' }, context)
    expect(examined.paths).toMatchObject([{ inside: true }])
    expect(await write.run(examined, context)).toMatchObject({ outcome: 'ok' })
    expect(await perform(readTool(place), { file_path })).toMatchObject({ text: '   1\tours' })
  })
})

test('there are at least sixty of them', () => {
  expect(new Set(hostilePaths.map(({ about }) => about)).size).toBeGreaterThanOrEqual(60)
})

function pathOf(path: HostilePath['path'], place: Stage): string {
  return typeof path === 'string' ? path : path(place)
}
