import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { RunnerName } from './runner.ts'

/** The only tests to run; a runner that they are not meant for ends at once with exit code 0. */
export interface LoneCanary {
  readonly runner: RunnerName
  /** Absolute, as the command sees it. */
  readonly cwd: string
  readonly paths: readonly string[]
  readonly mark: string
  /** Other tests of these files run as well. */
  readonly isAmong: boolean
}

/** The folders and variables for a command whose runners must report. */
export interface KitOptions {
  /** An empty folder outside of the project, which the command may read. */
  readonly kit: string
  /** An empty folder, which the command may write; reports are put here. */
  readonly reports: string
  /** The variables that the command would otherwise get. */
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly canary?: LoneCanary | undefined
}

/**
 * Makes the runners of a command report results by test name, also when scripts start them: it writes our reporters
 * into a folder, and returns the variables that make Node, Python, cargo and go load them. The command itself and the
 * files of the project stay unchanged.
 *
 * What tests print never gets into a report, except with cargo and with Go before 1.20, which have no other channel.
 * Programs that a test starts cannot write one. A test that runs in the process of its runner (mocha, pytest, unittest,
 * jest with one worker) could, if it looked for the open file: the canary and the doubts of a report guard against
 * that.
 */
export async function writeKit(options: KitOptions): Promise<Readonly<Record<string, string | undefined>>> {
  const { kit, reports, variables, canary } = options
  const { channel, javascriptReporters, nodeOnPath, preload, programOnPath, programs, pythonParts } =
    await import('./kit/index.ts')
  const bin = join(kit, 'bin')
  await mkdir(bin, { recursive: true })
  await mkdir(reports, { recursive: true })
  const files = { ...javascriptReporters, ...pythonParts, 'channel.cjs': channel, 'preload.cjs': preload }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(kit, name), text)))
  await writeFile(join(kit, 'program.cjs'), programOnPath)
  for (const name of programs) {
    const path = join(bin, name)
    await writeFile(path, name === 'node' ? nodeOnPath : startOf(name, join(kit, 'program.cjs')))
    await chmod(path, 0o755)
  }
  const option = `--require "${join(kit, 'preload.cjs').replaceAll(/["\\]/g, String.raw`\$&`)}"`
  const pieces = [
    { name: 'NODE_OPTIONS', piece: option, separator: ' ' },
    { name: 'PATH', piece: bin, separator: delimiter },
    { name: 'PYTHONPATH', piece: kit, separator: delimiter },
    { name: 'PYTEST_PLUGINS', piece: 'loader_pytest', separator: ',' },
  ]
  const own = pieces.map(({ name, piece, separator }) => {
    const before = variables[name]
    return [name, before === undefined || before === '' ? piece : `${piece}${separator}${before}`]
  })
  const settings = { reports, bin, pieces, canary }
  return { ...variables, ...Object.fromEntries(own), LOADER_RUNNERS: JSON.stringify(settings) }
}

/** Uses the Node that runs us: the program may be started where there is no other one. */
function startOf(name: string, script: string): string {
  const quoted = [process.execPath, script].map((it) => `'${it.replaceAll("'", String.raw`'\''`)}'`)
  return `#!/bin/sh\nexec ${quoted.join(' ')} ${name} "$@"\n`
}
