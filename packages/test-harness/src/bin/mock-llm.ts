#!/usr/bin/env node
import type { WireJournal } from '../wire/journal.ts'
import { problemsOf } from '../wire/journal.ts'
import type { TestCase } from '../wire/junit.ts'
import { wireServer } from '../wire/wire-server.ts'
import { numberOf, readArguments, readScript, runCommand, writeReport } from './command-line.ts'

const usage = `loader-mock-llm SCRIPT.json [--port 0] [--report FILE.json|FILE.xml]

Answers as the script says, over the APIs of OpenAI (Chat Completions and
Responses), Anthropic, Google (Gemini) and Ollama, on 127.0.0.1.
Prints {"url": …} and goes on until SIGTERM, SIGINT or POST /__stop.
Exits with 1 if lines were left over, requests had no line, or a request broke a rule of its provider.
`

async function mockLlm(args: readonly string[]): Promise<number> {
  const { file, options } = readArguments(args, ['port', 'report'])
  const { $schema: _schema, ...script } = readScript(file)
  const server = await wireServer({ ...script, port: numberOf('port', options['port']) ?? 0 })
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`)
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void server.close())
  await server.closed
  const [problems, journals] = [server.problems(), server.journals()]
  writeReport(options['report'], file, { ok: problems.length === 0, problems, scripts: journals }, casesOf(journals))
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  return problems.length === 0 ? 0 : 1
}

/** One test case for every request, and for every unused line. */
function casesOf(journals: readonly WireJournal[]): readonly TestCase[] {
  return journals.flatMap(({ script, exchanges, left }) => [
    ...exchanges.flatMap((exchange): TestCase[] => {
      if (exchange.number === undefined) return []
      const line = exchange.line === undefined ? 'no line' : `line ${exchange.line}`
      const name = `request ${exchange.number}: ${line}`
      const problems = problemsOf(exchange)
      return [{ suite: script, name, ...(problems.length > 0 && { failure: problems.join('\n') }) }]
    }),
    ...left.map((line) => ({ suite: script, name: line, failure: 'never asked for' })),
  ])
}

process.exitCode = await runCommand(usage, mockLlm)
