import { describe, expect, test } from 'vitest'
import { sample } from '@loader/test-tier'
import { identities } from '../walls/identities.ts'
import { RoomWorld } from './room-world.ts'
import { RoomsProcess } from './rooms-run.ts'

const ways = [
  { way: 'overlays', more: {} },
  { way: 'no walls', more: { bubblewrap: null } },
] as const
const cases = identities.flatMap((identity) => ways.map((way) => ({ ...identity, ...way })))
const bare = { ignored: { kind: 'none' }, packages: { kind: 'installed' } } as const

/** Runs until it is told to end, and shows then that its room is still whole. */
const lasting = `trap 'cat src/a.txt node_modules/dep/index.js && echo mine > new && cat new; exit 0' TERM
echo begun; while :; do sleep 0.1; done`
const shown = 'a\nmodule.exports = 1\nmine\n'

/** In the quick tier without walls: with overlays, `rooms.test.ts` has them. */
const tried = sample(cases.toReversed(), { quick: 1 })
describe.each(tried)('rooms of $name, with $way', ({ runs, owns, skip, more }) => {
  test.skipIf(skip)('at the same time are apart, of one process and of several', async () => {
    using world = new RoomWorld({ runs, owns })
    const { root, state, variables } = world
    const place = { root, state, variables, ...more }
    await using one = new RoomsProcess(runs)
    await using other = new RoomsProcess(runs)
    for (const each of [one, other]) await each.open(place)
    const first = await one.take()
    world.write('src/a.txt', 'second\n')
    const second = await one.take()
    const before = world.picture()
    const command =
      'cat src/a.txt; echo "$RANDOM" > src/a.txt; cp src/a.txt was; for i in 1 2 3 4 5; do sleep 0.05; cmp src/a.txt was || exit 1; done; ls'
    const run = (rooms: RoomsProcess, tree: string) => rooms.run({ room: { tree, ...bare }, command: { command } })
    const all = [first, second, first, second].flatMap((tree) => [
      { tree, run: run(one, tree) },
      { tree, run: run(other, tree) },
    ])
    for (const each of all) {
      const { output, ending } = await each.run
      expect([ending, output.split('\n')[0]]).toEqual([
        { how: 'exited', exitCode: 0 },
        each.tree === first ? 'a' : 'second',
      ])
    }
    expect(world.picture()).toEqual(before)
  })

  test.skipIf(skip)('stay while their process lives, whoever sweeps, and go when it was killed', async () => {
    using world = new RoomWorld({ runs, owns })
    const { root, state, variables } = world
    const place = { root, state, variables, ...more }
    const before = world.picture()
    await using mine = new RoomsProcess(runs)
    await mine.open(place)
    const tree = await mine.take()
    const room = { tree, ...bare }
    const ended = mine.run({ room, command: { command: lasting } })
    await expect.poll(() => mine.printed, { timeout: 60_000 }).toBe('begun\n')
    const killed = new RoomsProcess(runs)
    await killed.open(place)
    const cut = killed.run({ room, command: { command: lasting } })
    cut.catch(() => undefined)
    await expect.poll(() => killed.printed, { timeout: 60_000 }).toBe('begun\n')
    expect(world.left()).toHaveLength(2)
    await killed.kill()
    const left = async () => {
      await using sweeping = new RoomsProcess(runs)
      await sweeping.open(place)
      await sweeping.run({ room, command: { command: 'true' } })
      await sweeping[Symbol.asyncDispose]()
      return world.left()
    }
    await expect.poll(left, { timeout: 60_000 }).toHaveLength(1)
    mine.cancel()
    // A shell may say that it was interrupted.
    expect((await ended).output.slice(-shown.length)).toBe(shown)
    await mine[Symbol.asyncDispose]()
    expect(world.left()).toEqual([])
    expect(world.picture()).toEqual(before)
  })
})
