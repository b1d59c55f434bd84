import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSession } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import type { WireScriptLine } from '@loader/test-harness/wire'
import { type Server, sharedServer } from '@loader/test-postgres'
import { fromCi } from '@loader/test-tier'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml, parseAllDocuments } from 'yaml'
import { parse } from '../../src/arguments/parse.ts'
import { commands, main } from '../../src/commands/table.ts'
import { root } from '../programs.ts'
import { wordsOf } from '../written/documented-lines.ts'
import { type FleetStage, fleetStage } from './fleet-stage.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

const page = readFileSync(join(root, 'docs/workers.md'), 'utf8')
/** The commands of the page, in order, and the exit code that it says each ends with. */
const typed = [...page.matchAll(/^ {4}(loader [^\n#]*?)(?: +# ends with (\d))?$/gm)].map(
  ([, text = '', code = '0']) => ({
    text,
    code: Number(code),
  }),
)

const model: WireScriptLine = ({ messages }) => {
  const task = messages.findLast(({ role, text }) => role === 'user' && text !== '')?.text ?? ''
  if (messages.some(({ calls }) => calls.some(({ name }) => name === 'ask_user'))) return line('It is blue.')
  if (messages.at(-1)?.results.length !== 0) return line('Done.')
  if (task.includes('colour')) return line('I ask.', call('ask_user', { question: 'Which colour?' }))
  if (task.includes('Create')) return line('I write.', call('write', { file_path: 'hello.txt', content: 'Hello!\n' }))
  return line('Bonjour !')
}

describe.runIf(fromCi)('docs/workers.md', { timeout: 180_000 }, () => {
  test('takes a stranger from a laptop to three workers, as it is typed', async () => {
    await using fleet = await fleetStage(server, ...Array.from({ length: 50 }, () => model))
    fleet.one.write('README', 'A project.\n')
    const workers: ReturnType<FleetStage['worker']>[] = []
    let id = ''
    const said: string[] = []
    for (const { text, code } of typed) {
      const words = wordsOf(text).map((word) => (word === 'ID' ? id : word))
      if (words[0] === 'worker') {
        expect(words).toEqual(['worker', '--projects', '.'])
        workers.push(fleet.worker([], `machine-${workers.length}`))
        continue
      }
      const ran = await fleet.one.run(words, { environment: fleet.environment })
      if (ran.code !== code) throw new Error(JSON.stringify({ text, ...ran, said }, null, 2))
      id ||= /^ses_\w+$/m.exec(ran.stdout)?.[0] ?? ''
      said.push(ran.stdout)
    }
    expect(workers).toHaveLength(3)
    expect(said.join('\n')).toMatch(/1 queued[^]*Done\.[^]*3 workers: 0 queued[^]*Which colour\?[^]*It is blue\./)
    const { state } = await readSession(fleet.store, id)
    expect(state.lastTurn?.reason).toBe('turn_complete')
    for (const { process: child } of workers) child.kill('SIGTERM')
    expect(await Promise.all(workers.map(async ({ ended }) => (await ended).code))).toEqual([0, 0, 0])
  })
})

test('every option in the table of docs/workers.md is one of the worker', () => {
  const worker = commands.find(({ name }) => name === 'worker')
  const [, table = ''] = /## A worker\n([^]*?)\n- \*\*/.exec(page) ?? []
  const named = [...table.matchAll(/`--([a-z-]+)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(6)
  expect(worker?.options.map(({ name }) => name)).toEqual(expect.arrayContaining(named))
})

interface Container {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly grace: number
  readonly paths: readonly string[]
}

describe('the examples for supervisors', () => {
  const textOf = (name: string) => readFileSync(join(root, 'examples/fleet', name), 'utf8')

  test.each([
    { name: 'compose.yaml', read: composed },
    { name: 'kubernetes.yaml', read: deployed },
  ])('$name is YAML, with options, variables and paths that there are', ({ name, read }) => {
    const text = textOf(name)
    expect(text).toMatch(/Not tried with an engine/)
    expect(parseAllDocuments(text).flatMap((document) => document.errors)).toEqual([])
    const { command, environment, grace, paths } = read(parseYaml(text))
    const [, started = ''] = /exec (loader .*)$/.exec(command.join(' ').trim()) ?? []
    const given = parse(wordsOf(started), commands, main)
    expect(given.command.name).toBe('worker')
    // A supervisor waits longer than the calls in hand and what is settled behind them.
    expect(grace).toBeGreaterThanOrEqual(Number(given.value('grace')) + 15)
    expect(given.has('projects') && given.has('health-port')).toBe(true)
    const documents =
      readFileSync(join(root, 'docs/cli.md'), 'utf8') + readFileSync(join(root, 'docs/models.md'), 'utf8')
    const known = Object.keys(environment).filter((variable) => !variable.startsWith('PG'))
    expect(known).toContain('LOADER_STORE')
    for (const variable of known) expect(documents).toContain(`\`${variable}\``)
    for (const path of paths) expect(['/live', '/ready']).toContain(path)
    expect(paths.length).toBeGreaterThan(0)
  })
})

function composed(file: unknown): Container {
  const { worker } = (file as { services: Record<string, Record<string, unknown>> }).services
  const { command, environment, healthcheck, stop_grace_period: grace } = worker ?? {}
  const paths = [...JSON.stringify(healthcheck).matchAll(/:8080(\/\w+)/g)].map(([, path = '']) => path)
  const variables = environment as Record<string, string>
  return { command: command as string[], environment: variables, grace: Number.parseInt(String(grace), 10), paths }
}

function deployed(file: unknown): Container {
  type Probe = { httpGet: { path: string } }
  type Pod = {
    terminationGracePeriodSeconds: number
    containers: [{ args: string[]; env: { name: string; value: string }[] } & Record<string, Probe>]
  }
  const { spec } = (file as { spec: { template: { spec: Pod } } }).spec.template
  const [container] = spec.containers
  const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => container[name]?.httpGet.path ?? '')
  const environment = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))
  const grace = spec.terminationGracePeriodSeconds
  // What the secret holds is named above it.
  return {
    command: container.args,
    environment: { ...environment, LOADER_STORE: '', ANTHROPIC_API_KEY: '' },
    grace,
    paths,
  }
}
