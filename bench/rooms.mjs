// What it costs to run a command in a room, beside spawning it where it stands.
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LocalTrees, openRooms, programOnPath, wallsAround } from '@loader/workspace'
import { atMost, shown } from './store/figure.mjs'
import { git, withTree } from './tools/tree.mjs'

const files = 5000
const run = promisify(execFile)

export async function figures() {
  return withTree(files, async (root) => {
    writeFileSync(join(root, '.gitignore'), 'node_modules\ndist\n.env\n')
    for (const folder of ['node_modules/dep', 'dist']) {
      mkdirSync(join(root, folder), { recursive: true })
      writeFileSync(join(root, folder, 'index.js'), 'module.exports = 1\n')
    }
    writeFileSync(join(root, '.env'), 'SETTING=1\n')
    git(root, 'init', '--quiet')
    git(root, 'add', '--all')
    git(root, 'commit', '--quiet', '--message', 'files')
    const folder = `${root}-state`
    try {
      return await measure(root, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

async function measure(root, folder) {
  const variables = process.env
  const program = programOnPath('git', variables, root)
  using trees = new LocalTrees({ root, folder: join(folder, 'files.git'), git: program, variables })
  const walls = wallsAround({ root, variables, scratch: join(folder, 'scratch') })
  await using rooms = openRooms({ root, trees, walls, stateFolder: folder, variables })
  const before = await trees.take()
  writeFileSync(join(root, 'src/part-1/module-1.ts'), 'export const changed = 1\n')
  const after = await trees.take()
  const kept = await rooms.keepIgnored()
  if (before.kind !== 'taken' || after.kind !== 'taken' || kept.kind !== 'kept') throw new Error('nothing was kept')
  const room = (tree, ignored) =>
    timed(async () => {
      const { how, ending } = await rooms.run(
        { tree: tree.id, ignored, packages: { kind: 'installed' } },
        { command: 'true', timeoutMs: 60_000, reach: 'work' },
      )
      if (ending.exitCode !== 0) throw new Error(`the command ended otherwise: ${JSON.stringify(ending)}`)
      return how.kind
    })
  const wasKept = { kind: 'kept', id: kept.id }
  const first = await room(before.tree, wasKept)
  const other = await room(after.tree, wasKept)
  if (first.result !== 'overlay') return [shown('no overlays on this machine: a first room by a copy', first.ms, 'ms')]
  const least = { bare: Infinity, kept: Infinity, now: Infinity, walls: Infinity }
  const take = (name, ms) => (least[name] = Math.min(least[name], ms))
  for (let round = 0; round < 80; round += 1) {
    take('bare', (await timed(() => run('/bin/sh', ['-c', 'true'], { cwd: root }))).ms)
    take('kept', (await room(after.tree, wasKept)).ms)
    take('now', (await room(after.tree, { kind: 'now' })).ms)
    take('walls', (await timed(() => walls.run({ command: 'true', cwd: root, timeoutMs: 60_000, cap }, 'work'))).ms)
  }
  return [
    shown('first room, with its frozen checkout of 5,000 files', first.ms, 'ms'),
    shown('first room on a tree in which one file differs', other.ms, 'ms'),
    shown('bare spawn', least.bare, 'ms'),
    shown('a command within walls, in the workspace', least.walls, 'ms'),
    atMost('a room over a bare spawn, ignored files as kept', least.kept - least.bare, 'ms', 60),
    shown('a room over a bare spawn, ignored files as they lie there', least.now - least.bare, 'ms'),
  ]
}

const cap = { headBytes: 1000, tailBytes: 1000 }

async function timed(work) {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}
