import { basename, relative } from 'node:path'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { runDemoChild } from '../demo/demo-child.ts'
import { runDemo } from '../demo/run-demo.ts'
import { paintFor } from '../screen/paint.ts'

/** Passes the project's folder and the session to the process that the demo starts. */
const childVariable = 'LOADER_DEMO_CHILD'

export async function run(given: Given, console: Console): Promise<ExitCode> {
  const child = console.environment[childVariable]
  if (child !== undefined) {
    const [root = '', sessionId = ''] = child.split('\n')
    await runDemoChild(root, sessionId, console)
    return 'ok'
  }
  const [, program = ''] = process.argv
  await runDemo({
    console,
    paint: paintFor(given, console),
    startChild: (root, sessionId) => ({
      words: [...process.execArgv, program, 'demo'],
      environment: { ...console.environment, [childVariable]: `${root}\n${sessionId}` },
    }),
    afterwards: given.has('keep') ? 'keep' : 'remove',
    pace: given.has('fast') ? 'fast' : 'readable',
    command: basename(program) === 'loader' ? 'loader' : `node ${relative(console.folder, program)}`,
  })
  return 'ok'
}
