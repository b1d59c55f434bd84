import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PermissionMode } from '@loader/session-core/coding'
import { call, type ScriptedCall } from '@loader/test-harness'
import { sample, tier } from '@loader/test-tier'
import { afterAll, describe, expect, test } from 'vitest'
import { attempt } from './hostile/attempt.ts'
import { type HostilePath, hostilePaths, surroundings, type Surroundings } from './hostile/attempts.ts'
import { everythingAround } from './hostile/surroundings.ts'
import { eventsOf, faultsOf } from './scene/whole.ts'

const allModes = ['workspace-write', 'read-only', 'prompt'] as const satisfies PermissionMode[]
/** Each path in each mode; in the quick tier some paths, each in one of them. */
const modesFor = (index: number) => allModes.filter((_, place) => tier !== 'quick' || index % 3 === place)

const secret = 'nobody may see this\n'
const ownSecret = 'for the runtime alone'

function callsWith(path: string): ScriptedCall[] {
  const file_path = path
  return [
    call('read', { file_path }),
    call('write', { file_path, content: 'ours\n' }),
    call('edit', { file_path, old_string: secret, new_string: 'ours\n' }),
    call('edit', { file_path, old_string: 'inside\n', new_string: 'ours\n' }),
    call('patch', { file_path, patch: '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+ours\n' }),
    call('patch', { file_path, patch: `--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-${secret}` }),
    call('patch', { patch: `diff --git a/f b/f\nrename from f\nrename to ${path}\n` }),
    call('glob', { pattern: '**', path }),
    call('grep', { pattern: '.', path }),
  ]
}

async function placeFor({ prepare }: HostilePath): Promise<Surroundings> {
  const place = await surroundings()
  await writeFile(join(place.root, '.loader/settings.json'), ownSecret)
  await prepare?.(place)
  return place
}

const pathOf = (path: HostilePath['path'], place: Surroundings) => (typeof path === 'string' ? path : path(place))

const seen: Record<string, number> = {}
afterAll(() => console.log(`${hostilePaths.length} hostile paths through the agent: ${JSON.stringify(seen)}`))

function count(history: Awaited<ReturnType<typeof attempt>>): void {
  for (const { outcome } of eventsOf(history, 'tool.finished')) seen[outcome] = (seen[outcome] ?? 0) + 1
}

describe.concurrent('a hostile path', () => {
  test.for(sample(hostilePaths, { quick: 3, ci: 4 }).map((hostile, index) => ({ ...hostile, modes: modesFor(index) })))(
    '$about: nothing outside is changed, and nothing inside where that is not allowed',
    async (hostile) => {
      for (const mode of hostile.modes) {
        await using place = await placeFor(hostile)
        const around = await everythingAround(place.root)
        const guarded = await place.guarded()
        const history = await attempt({ root: place.root, mode, calls: callsWith(pathOf(hostile.path, place)) })
        count(history)
        expect(faultsOf({ history })).toEqual([])
        if (mode === 'workspace-write') expect(await place.guarded()).toEqual(guarded)
        else expect(await everythingAround(place.root)).toEqual(around)
        expect(JSON.stringify(history)).not.toContain(ownSecret)
      }
    },
  )

  const swapped = hostilePaths.filter(({ swap }) => swap !== undefined)
  test.for(sample(swapped, { quick: 3, ci: 3 }))(
    '$about: what was put in place after somebody said yes is left alone',
    async (hostile) => {
      await using place = await placeFor(hostile)
      let swapped = await place.guarded()
      let isSwapped = false
      const approver = {
        decide: async () => {
          if (!isSwapped) await hostile.swap?.(place)
          isSwapped = true
          swapped = await place.guarded()
          return { permit: 'allow', scope: 'once' } as const
        },
      }
      const [, write = call('write')] = callsWith(pathOf(hostile.path, place))
      const history = await attempt({ root: place.root, mode: 'prompt', calls: [write], approver })
      count(history)
      expect(await place.guarded()).toEqual(swapped)
    },
  )
})
