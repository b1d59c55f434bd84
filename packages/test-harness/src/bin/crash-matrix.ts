#!/usr/bin/env node
import { commandMatrix, type CommandResult } from '../wire/command-matrix/command-matrix.ts'
import { numberOf, readArguments, readScript, runCommand, usageError, writeReport } from './command-line.ts'

const usage = `loader-crash-matrix SCRIPT.json --run COMMAND --resume COMMAND --check COMMAND
  [--report FILE.json|FILE.xml] [--only 3,4] [--timeout SECONDS] [--delay MILLISECONDS]

Runs an agent against a scripted model, kills it on both sides of the answer to each of its requests, resumes it, and
runs the check: each time in a temporary folder of its own, where the commands are run by the shell.
They find the model in LOADER_MOCK_URL, OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL and OLLAMA_HOST.
--only    boundaries to kill at, by number
--timeout how long a command may take (60)
--delay   how long the agent lives on after an answer was sent in full (0), so that it dies inside of a tool
Exits with 1 if there is a boundary after which the resume or the check fails, or the script does not come to its end.
`

const names = ['run', 'resume', 'check', 'report', 'only', 'timeout', 'delay']

async function crashMatrix(args: readonly string[]): Promise<number> {
  const { file, options } = readArguments(args, names)
  const { $schema: _schema, ...script } = readScript(file)
  const controller = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => controller.abort(new Error(`Got ${signal}.`)))
  const timeout = numberOf('timeout', options['timeout'])
  const only = options['only']?.split(',').map((number) => numberOf('only', number) ?? 0)
  const matrix = await commandMatrix({
    script,
    run: commandOf('run', options['run']),
    resume: commandOf('resume', options['resume']),
    check: commandOf('check', options['check']),
    ...(only && { only }),
    ...(timeout !== undefined && { timeoutMilliseconds: timeout * 1000 }),
    delayMilliseconds: numberOf('delay', options['delay']) ?? 0,
    onResult: (result) => process.stdout.write(rowOf(result)),
    signal: controller.signal,
  })
  const { requests, results, failures, untried } = matrix
  const failed = failures.map(({ name }) => name)
  process.stdout.write(summaryOf(results.filter(({ boundary }) => boundary).length, failed))
  for (const place of untried) process.stdout.write(`not tried: ${place}\n`)
  const cases = results.map(({ name, problems }) => ({
    suite: 'boundaries',
    name,
    ...(problems.length > 0 && { failure: problems.join('\n') }),
  }))
  writeReport(options['report'], file, { ok: failed.length === 0, requests, failed, untried, results }, cases)
  return failed.length === 0 ? 0 : 1
}

function commandOf(name: string, command: string | undefined): string {
  if (command !== undefined && command !== '') return command
  throw usageError(`--${name} is missing.`)
}

/** A line of the table, for the result at one boundary. */
function rowOf({ boundary, name, problems }: CommandResult): string {
  const number = String(boundary?.number ?? '').padStart(3)
  const head = `${number}  ${name.padEnd(30)}  ${problems.length === 0 ? 'ok' : 'FAILED'}\n`
  return head + problems.map((problem) => `       ${problem}\n`).join('')
}

function summaryOf(killed: number, failed: readonly string[]): string {
  if (failed.length === 0) return `killed and resumed at ${killed} boundaries: ok\n`
  return `killed and resumed at ${killed} boundaries, ${failed.length} failed: ${failed.join('; ')}\n`
}

process.exitCode = await runCommand(usage, crashMatrix)
