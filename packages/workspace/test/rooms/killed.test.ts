import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { everyNth, fromCi } from '@loader/test-tier'
import { identities } from '../walls/identities.ts'
import { RoomWorld } from './room-world.ts'
import { RoomsProcess } from './rooms-run.ts'

const preload = [fileURLToPath(new URL('../children/kill-at-step.ts', import.meta.url))]
const ways = [
  { way: 'overlays', bubblewrap: {} },
  { way: 'no walls', bubblewrap: { bubblewrap: null } },
] as const
const cases = identities
  .flatMap((identity) => ways.map((way) => ({ ...identity, ...way })))
  .map((each, index) => ({ ...each, first: 1 + index * 3 }))

// For each step it starts two processes. That a room goes when its process was killed is seen in `together.test.ts`.
describe.runIf(fromCi).each(cases)('a kill of $name, with $way', ({ runs, owns, skip, bubblewrap, first }) => {
  test.skipIf(skip)(
    'at any step leaves nothing behind, and the workspace as it was',
    { timeout: 3_600_000 },
    async () => {
      using world = new RoomWorld({ runs, owns })
      const { root, state, variables } = world
      const place = { root, state, variables, ...bubblewrap }
      const stepsPath = join(world.base, 'state', 'steps')
      const begin = (at: number, when: string) =>
        new RoomsProcess(runs, { preload, variables: { KILL_AT: `${at}`, KILL_WHEN: when, STEPS: stepsPath } })
      const work = async (rooms: RoomsProcess) => {
        await rooms.open(place)
        const tree = await rooms.take()
        const id = await rooms.keep()
        const room = {
          tree,
          ignored: { kind: 'kept', id },
          over: [
            ['src/b.txt', null],
            ['src/c.txt', 'c\n'],
          ],
          packages: { kind: 'installed' },
        } as const
        const { output } = await rooms.run({
          room,
          command: { command: 'cat src/* && rm -r src && mkdir -m 000 closed', runners: {} },
        })
        await rooms[Symbol.asyncDispose]()
        return output
      }
      const before = world.picture()
      const calmly = async () => {
        await using rooms = begin(0, 'before')
        return await work(rooms)
      }
      expect(await calmly()).toBe('a\nc\n')
      const steps = Number(readFileSync(stepsPath, 'utf8'))
      expect(steps).toBeGreaterThan(30)
      // Each case has other steps.
      const stride = everyNth({ quick: 60, ci: 60, long: 1 })
      const survived: number[] = []
      for (let step = first; step <= steps; step += stride) {
        world.beginAnew()
        const killed = begin(step, step % 2 === 0 ? 'before' : 'after')
        const ended = await work(killed).catch(String)
        if (!ended.includes('SIGKILL')) survived.push(step)
        expect(await calmly(), `after step ${step}`).toBe('a\nc\n')
      }
      // How many steps there are depends a little on the clock: what is new is looked at once more, in some steps each time.
      expect(survived.filter((step) => step < steps - 15)).toEqual([])
      // What the last one had started may still have been about to end.
      const left = async () => {
        await calmly()
        return world.left()
      }
      await expect.poll(left, { timeout: 60_000 }).toEqual([])
      expect(world.picture()).toEqual(before)
    },
  )
})
