/**
 * Starts a process that takes a session, says its number, and then takes note of nothing: what it started stays in the
 * list of processes when it has ended.
 *
 *   node careless-parent.ts <directory> <session>
 */
import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const rival = fileURLToPath(new URL('rival.ts', import.meta.url))
const child = spawn(process.execPath, [...process.execArgv, rival, ...process.argv.slice(2)], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
createInterface({ input: child.stdout }).on('line', (line) => {
  if (line === 'ready') child.stdin.write('claim 0 plain\n')
  if (!line.startsWith('claimed')) return
  writeSync(1, `${child.pid}\n`)
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
