// `pnpm test:busy [--without bwrap,tmux] [WHAT VITEST TAKES]`: the tests on a machine that has other things to do, and
// lacks programs. What fails here and not alone rests on a clock, or on a program that it should have looked for.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const loops = Math.max(8, 4 * availableParallelism())

const { without, words } = readArguments(process.argv.slice(2))
const scratch = mkdtempSync(join(tmpdir(), 'loader-busy-'))
// Some tests start programs as somebody else.
chmodSync(scratch, 0o755)
const path = without.length === 0 ? process.env.PATH : pathWithout(without, join(scratch, 'bin'))
console.log(`${loops} busy loops beside the tests${without.length === 0 ? '' : `, without ${without.join(', ')}`}`)

const threads = Array.from({ length: loops }, () => new Worker('for (;;);', { eval: true }))
const tests = spawn(process.execPath, [vitest, 'run', ...words], {
  cwd: root,
  env: { ...process.env, PATH: path },
  stdio: 'inherit',
})
const [code, signal] = await once(tests, 'exit')
if (signal !== null) console.log(`vitest was ended by ${signal}`)
await Promise.all(threads.map((thread) => thread.terminate()))
rmSync(scratch, { recursive: true, force: true })
process.exitCode = code ?? 1

function readArguments([first = '', second, ...rest]) {
  if (first === '--without') return { without: (second ?? '').split(',').filter(Boolean), words: rest }
  return { without: [], words: [first, second, ...rest].filter(Boolean) }
}

/** A folder with links to every program on PATH but these; the first program of a name is the one that PATH means. */
function pathWithout(names, folder) {
  mkdirSync(folder)
  const taken = new Set(names)
  for (const place of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of programsIn(place)) {
      if (taken.has(name)) continue
      taken.add(name)
      symlinkSync(resolve(place, name), join(folder, name))
    }
  }
  return folder
}

function programsIn(place) {
  try {
    return readdirSync(place)
  } catch (error) {
    // PATH may name folders that are not there.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  }
}
