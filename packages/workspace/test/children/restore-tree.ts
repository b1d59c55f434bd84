/**
 * Restores what a plan says, and kills itself right before the nth change of the disk.
 *
 *   node restore-tree.ts <workspace> <folder for trees> <git> <file with the plan> <n>
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { LocalTrees } from '@loader/workspace'

const changing = [
  'openSync',
  'writeSync',
  'fsyncSync',
  'fchmodSync',
  'fchownSync',
  'closeSync',
  'linkSync',
  'symlinkSync',
  'renameSync',
  'unlinkSync',
  'rmSync',
  'rmdirSync',
  'mkdirSync',
] as const

const [root = '', folder = '', git = '', plan = '', nth = ''] = process.argv.slice(2)
const variables = { PATH: process.env['PATH'] ?? '', HOME: '/nowhere' }
using trees = new LocalTrees({ root, folder, git, variables })
const steps = JSON.parse(fs.readFileSync(plan, 'utf8'))
// What opens the repository is not what is tried here.
await trees.planRestore(steps.from, steps.to)

let left = Number(nth)
for (const name of changing) {
  const real = fs[name] as (...given: readonly unknown[]) => unknown
  Object.assign(fs, {
    [name]: (...given: readonly unknown[]) => {
      left -= 1
      if (left === 0) process.kill(process.pid, 'SIGKILL')
      return real(...given)
    },
  })
}
syncBuiltinESMExports()
await trees.restore(steps)
