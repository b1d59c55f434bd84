import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { programOnPath } from '@loader/workspace'
import { sample } from '@loader/test-tier'
import { identities } from '../walls/identities.ts'
import { RoomWorld } from './room-world.ts'
import { RoomsProcess, type RoomsWorld } from './rooms-run.ts'
import { vandal } from './vandal.ts'

/** How rooms are made, by what the machine lacks. */
const ways = [
  { name: 'overlays', how: 'overlay', isWalled: true },
  { name: 'walls without overlays', how: 'copy', isWalled: true },
  { name: 'no walls', how: 'copy', isWalled: false },
] as const

const cases = identities.flatMap((identity) => ways.map((way) => ({ ...identity, ...way, who: identity.name })))
const roomWith = { packages: { kind: 'installed' } } as const

describe.each(sample(cases, { quick: 1 }))('rooms of $who, with $name', ({ runs, owns, skip, how, isWalled, name }) => {
  const setUp = () => {
    const world = new RoomWorld({ runs, owns })
    return { world, rooms: new RoomsProcess(runs), place: placeOf(world, name) }
  }

  test.skipIf(skip)('have the tree, and of ignored files what they were asked to have', async () => {
    const { world, rooms, place } = setUp()
    using _ = world
    await using __ = rooms
    await rooms.open(place)
    const tree = await rooms.take()
    const id = await rooms.keep()
    world.write('src/a.txt', 'changed since\n')
    world.write('.env', 'SETTING=2\n')
    rmSync(world.path('dist'), { recursive: true })
    world.write('added', 'since\n')
    const before = world.picture()
    const shown = []
    for (const ignored of [{ kind: 'now' }, { kind: 'kept', id }, { kind: 'none' }] as const) {
      shown.push(await rooms.run({ room: { tree, ignored, ...roomWith }, command: { command: look } }))
    }
    const [now, kept, none] = shown.map(({ output }) => output)
    const common = ['a', 'ran', 'a', 'module.exports = 1', 'module.exports = 2', 'packages', 'src', 'empty', 'clean']
    expect(now?.split('\n')).toEqual(['SETTING=2', ...common, ''])
    expect(kept?.split('\n')).toEqual(['SETTING=1', 'built', 'more', ...common, ''])
    expect(none?.split('\n')).toEqual([...common, ''])
    const [{ how: made, walls } = {}] = shown
    expect(made).toMatchObject({ kind: how })
    expect(made && 'at' in made && made.at === world.root).toBe(isWalled)
    expect(walls).toBe(isWalled ? 'bubblewrap' : 'none')
    expect(world.picture()).toEqual(before)
  })

  test.skipIf(skip)('can be destroyed without a trace, and the next one is whole', async () => {
    const { world, rooms, place } = setUp()
    using _ = world
    await using __ = rooms
    await rooms.open(place)
    const tree = await rooms.take()
    const before = world.picture()
    const room = { tree, ignored: { kind: 'now' }, ...roomWith } as const
    const whole = await rooms.run({ room, command: { command: look } })
    const destroyed = await rooms.run({ room, command: { command: vandal(isWalled ? 'mounted' : 'copied') } })
    expect(destroyed.output).toContain('vandal was here')
    const after = await rooms.run({ room, command: { command: look } })
    expect(after.output).toBe(whole.output)
    expect(world.picture()).toEqual(before)
    await rooms[Symbol.asyncDispose]()
    expect(world.left()).toEqual([])
  })
})

/** Where a test world runs; what the machine is to lack is taken away. */
function placeOf(world: RoomWorld, way: (typeof ways)[number]['name']): RoomsWorld {
  const { root, state, variables } = world
  const place = { root, state, variables }
  if (way === 'overlays') return place
  if (way === 'no walls') return { ...place, bubblewrap: null }
  return { ...place, path: pathWithout(world, ['unshare']) }
}

/** A folder with links to all programs that the tests need, but some. It lies where walls let programs be seen. */
function pathWithout({ variables }: RoomWorld, names: readonly string[]): string {
  mkdirSync(programs, { recursive: true })
  const folder = mkdtempSync(programs)
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of needed.filter((each) => !names.includes(each))) {
    const program = programOnPath(name, variables, '/nowhere')
    if (program !== undefined) symlinkSync(program, join(folder, name))
  }
  return folder
}

const programs = fileURLToPath(new URL('../../.turbo/programs/', import.meta.url))
const needed =
  'bwrap bash sh git cat find chmod rm ls cp sort xargs python3 mv ln mkdir mkfifo rmdir touch mount make id dd truncate env printf seq'.split(
    ' ',
  )

const look = `cat .env dist/built.txt dist/deep/more.txt 2>/dev/null
cat src/a.txt; ./run.sh; cat link node_modules/dep/index.js packages/p/node_modules/q/index.js
ls -d packages src; ls -d empty; export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
git diff --exit-code && test -z "$(git status --porcelain)" && echo clean; true`
