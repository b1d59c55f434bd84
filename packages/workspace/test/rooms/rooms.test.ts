import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LocalTrees, openRooms, programOnPath, wallsAround } from '@loader/workspace'
import { noWalls } from '../walls/here.ts'
import { RoomWorld } from './room-world.ts'

test.skipIf(noWalls !== undefined)(
  'a command in a room finds the tree at the path of the workspace, and changes nothing there',
  async () => {
    using world = new RoomWorld()
    await using open = await opened(world)
    const { rooms, tree } = open
    world.write('src/a.txt', 'changed since\n')
    const run = await rooms.run(
      { tree, ignored: { kind: 'none' }, packages: { kind: 'installed' } },
      { command: script, timeoutMs: 60_000, reach: 'work' },
    )
    expect(run.output.text()).toBe(`${world.root}\na\nmodule.exports = 1\nclean\n`)
    expect(run.ending).toEqual({ how: 'exited', exitCode: 0 })
    expect(world.read('src/a.txt')).toBe('changed since\n')
    expect(world.read('node_modules/dep/index.js')).toBe('module.exports = 1\n')
  },
)

const script = `pwd; cat src/a.txt node_modules/dep/index.js; git diff --exit-code && echo clean
rm -rf src node_modules/dep .git; echo x > new; test ! -e .env -a ! -e dist`

async function opened(world: RoomWorld) {
  const { root, state, variables } = world
  const git = programOnPath('git', variables, root)
  const trees = new LocalTrees({ root, folder: join(state, 'files.git'), git, variables })
  const walls = wallsAround({ root, variables, scratch: join(state, 'scratch') })
  const rooms = openRooms({ root, trees, walls, stateFolder: state, variables })
  const taken = await trees.take()
  if (taken.kind === 'refused') throw new Error(taken.why)
  return {
    rooms,
    tree: taken.tree.id,
    async [Symbol.asyncDispose]() {
      await rooms[Symbol.asyncDispose]()
      trees[Symbol.dispose]()
    },
  }
}
