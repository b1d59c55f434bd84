import { readFileSync } from 'node:fs'
import type { Console } from './console/console.ts'
import { keepHeapSmall } from './small-heap.ts'
import { start } from './start.ts'

// The only file that uses `process`. All other code receives streams, environment and folder.

// Turns off zod's compiled parsers, which pay off only after thousands of values; a command reads hundreds. Every copy
// of zod reads its settings from here. If this stops having an effect, starts only become slower.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

let outputFailed = false
const guarded = new Set<string>()

// Streams are created lazily, because creating one takes time.
const console: Console = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    guard('stdout', (error) => {
      outputFailed = true
      // This may be found after the exit code was set.
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
 * A closed pipe (`| head`) is not an error: its reader wants no more output. Any other error means that the output is
 * incomplete.
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

/** The folder may have been removed; then only its name is known. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return process.env['PWD'] ?? '.'
    throw error
  }
}
