/**
 * Loaded before all others: counts what the process does to files, and each program that it starts, and kills the process
 * at one of these steps, before or after it. The process writes the number of its steps when it ends by itself.
 *
 *   KILL_AT=12 KILL_WHEN=after STEPS=<file> node --import kill-at-step.ts …
 *
 * It counts from the message `run` on, or, with COUNT=all, from the start.
 */
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Work = (...args: unknown[]) => unknown

const { KILL_AT = '0', KILL_WHEN = 'before', STEPS = '', COUNT = '' } = process.env
const { writeFileSync } = fs
let step = 0
let counting = COUNT === 'all'

/** Counted from here on: what comes before is the same for all. */
process.on('message', (message: { readonly ask?: string }) => {
  if (message.ask === 'run') counting = true
})

function counted(work: Work): Work {
  return function (this: unknown, ...args) {
    if (!counting) return work.apply(this, args)
    step += 1
    const isLast = `${step}` === KILL_AT
    if (isLast && KILL_WHEN === 'before') process.kill(process.pid, 'SIGKILL')
    try {
      return work.apply(this, args)
    } finally {
      if (isLast) process.kill(process.pid, 'SIGKILL')
    }
  }
}

function countIn(holder: object, names: readonly string[]): void {
  for (const name of names) {
    const work: unknown = Reflect.get(holder, name)
    if (typeof work === 'function') Reflect.set(holder, name, counted(work as Work))
  }
}

countIn(
  fs,
  'mkdirSync rmSync renameSync writeFileSync copyFileSync chmodSync chownSync lchownSync lutimesSync utimesSync symlinkSync'.split(
    ' ',
  ),
)
countIn(fs.promises, ['rm', 'cp', 'mkdir', 'writeFile', 'chmod', 'open'])
countIn(childProcess, ['spawn'])
syncBuiltinESMExports()
process.on('exit', () => writeFileSync(STEPS, `${step}`))
