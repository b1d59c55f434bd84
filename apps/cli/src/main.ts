import { readFileSync } from 'node:fs'
import type { Console } from './console/console.ts'
import { keepHeapSmall } from './small-heap.ts'
import { start } from './start.ts'

// The one place that knows the process. What it starts gets streams, environment and folder handed.

// zod compiles a parser for every schema that it uses. That pays after thousands of values, and a command looks at
// hundreds. This is where each copy of zod looks for its settings; were it to look elsewhere, starts would take longer.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

let outputFailed = false
const guarded = new Set<string>()

// Making a stream takes time, so each is made when somebody wants it.
const console: Console = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    guard('stdout', (error) => {
      outputFailed = true
      // It may come to light when everything else is done.
      process.exitCode ||= 1
      process.stderr.write(`loader: Standard output cannot be written: ${error.message}\n`)
    })
    return process.stdout
  },
  get stderr() {
    guard('stderr', () => undefined)
    return process.stderr
  },
  environment: process.env,
  folder: currentFolder(),
  version,
}

keepHeapSmall()
const code = await start(process.argv.slice(2), console)
process.exitCode = outputFailed && code === 0 ? 1 : code

/**
 * Whoever read the output has gone (`| head`): nothing is lost by that, and nothing can be said any more. Anything else
 * means that what was asked for did not get where it should.
 */
function guard(name: 'stdout' | 'stderr', tell: (error: Error) => void): void {
  if (guarded.has(name)) return
  guarded.add(name)
  let told = false
  process[name].on('error', (error: NodeJS.ErrnoException) => {
    if (!told && error.code !== 'EPIPE') tell(error)
    told = true
  })
}

/** The folder may have been removed under the shell; then its name is all that is left of it. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return process.env['PWD'] ?? '.'
    throw error
  }
}
