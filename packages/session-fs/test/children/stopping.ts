/**
 * A writer that stops itself (SIGSTOP) before one of its calls, and goes on when it is continued.
 *
 *   node stopping.ts <directory> <session> <call> <pattern of a path> <which of those calls, from 1>
 */
import fileSystem, { writeSync } from 'node:fs'
import { FileSessionStore } from '@loader/session-fs'
import { interrupted } from './interrupted.ts'
import { runScript, scriptRotation } from './script.ts'

const [directory = '', id = '', call = '', pattern = '', which = ''] = process.argv.slice(2)
let left = Number(which)
const port = interrupted(fileSystem, ({ name, paths }) => {
  if (name !== call || !paths.some((path) => path.search(pattern) >= 0)) return
  left -= 1
  if (left !== 0) return
  say('stopping')
  process.kill(process.pid, 'SIGSTOP')
})
const store = new FileSessionStore(
  { directory },
  { fileSystem: port, rotateAfterBytes: scriptRotation, commit: 'inline' },
)
const outcomes = await runScript(store, id, {
  by: 'old',
  expect: 'new',
  settled: (line, outcome) => outcome === 'ok' && say(`stored ${line}`),
})
say(`outcomes ${outcomes.join(' ')}`)

function say(line: string): void {
  writeSync(1, `${line}\n`)
}
