import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { everyNth, times } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { programOnPath } from '../../src/index.ts'
import { pictureOf } from './picture.ts'
import { taken, temporaryTrees } from './side.ts'

const child = fileURLToPath(new URL('../children/restore-tree.ts', import.meta.url))
const git = programOnPath('git', { PATH: process.env['PATH'] ?? '' }, '/nowhere') ?? ''

type Picture = ReadonlyMap<string, string>

/** What is there, without folders that hold nothing and without files that have not got their name yet. */
function filesIn(root: string): Picture {
  return new Map([...pictureOf(root)].filter(([path, what]) => what !== 'empty' && !path.endsWith('.loader-tmp')))
}

/** Paths that hold something else than before and than after. */
function torn(found: Picture, before: Picture, after: Picture): string[] {
  const paths = new Set([...found.keys(), ...before.keys(), ...after.keys()])
  return [...paths].filter((path) => ![before.get(path), after.get(path)].includes(found.get(path)))
}

test('a restore that is killed at any change of the disk leaves each file as it was or as it will be, and goes on', async () => {
  using at = temporaryTrees()
  mkdirSync(at.path('src/deep'), { recursive: true })
  for (const name of ['a.txt', 'src/b.txt', 'src/deep/c.txt', 'turned']) writeFileSync(at.path(name), `${name}\n`)
  writeFileSync(at.path('run.sh'), 'echo\n', { mode: 0o755 })
  symlinkSync('a.txt', at.path('link'))
  mkdirSync(at.path('empty'))
  const trees = at.open()
  const start = await taken(trees)
  const [whole, before] = [pictureOf(at.root), filesIn(at.root)]
  renameSync(at.path('src/deep'), at.path('moved'))
  writeFileSync(at.path('a.txt'), 'changed\n')
  chmodSync(at.path('run.sh'), 0o644)
  unlinkSync(at.path('link'))
  symlinkSync('run.sh', at.path('link'))
  rmSync(at.path('turned'))
  rmSync(at.path('empty'), { recursive: true })
  mkdirSync(at.path('turned/new'), { recursive: true })
  writeFileSync(at.path('turned/new/x'), 'x\n')
  const end = await taken(trees)
  const after = filesIn(at.root)
  const kept = join(at.base, 'after')
  cpSync(at.root, kept, { recursive: true, verbatimSymlinks: true })
  const plan = join(at.base, 'plan.json')
  writeFileSync(plan, JSON.stringify(await trees.planRestore(end, start)))

  const stride = everyNth({ quick: 60, ci: 12, long: 1 })
  let [kills, states] = [0, new Set<string>()]
  for (let nth = 1; ; nth += stride) {
    // The files keep their place, so that what is known of them by number and time is not what helps.
    for (const name of readdirSync(at.root)) rmSync(at.path(name), { recursive: true })
    cpSync(kept, at.root, { recursive: true, verbatimSymlinks: true })
    const args = ['--conditions=@loader/source', child, at.root, at.folder, git, plan, `${nth}`]
    const [code, signal] = await once(spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
    const found = filesIn(at.root)
    expect([nth, torn(found, before, after)]).toEqual([nth, []])
    if (signal === null) {
      expect([code, found]).toEqual([0, before])
      break
    }
    expect(signal).toBe('SIGKILL')
    kills += 1
    states.add(JSON.stringify([...found]))
    using again = at.open()
    await again.restore(await again.planRestore(end, start))
    expect([nth, pictureOf(at.root)]).toEqual([nth, whole])
  }
  console.log(`restores that were killed: ${kills}, in ${states.size} distinct states of the files`)
  expect(kills).toBeGreaterThan(times({ quick: 1, ci: 7, long: 100 }))
}, 600_000)
