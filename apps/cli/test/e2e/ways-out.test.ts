import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { sample, tier } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type ExitCode, exitCodes, exitNumber } from '../../src/console/exit-codes.ts'
import { EventsLine, StreamJsonLine } from '../../src/schemas/runs.ts'
import {
  type Ended,
  jsonLines,
  openInput,
  type Running,
  type Stage,
  stage,
  type StartOptions,
  untilSaid,
} from './stage/stage.ts'

/** One way in which a run can end. */
interface WayOut {
  readonly code: ExitCode
  readonly words: readonly string[]
  /** What the model answers. */
  readonly lines?: readonly WireLine[]
  readonly options?: StartOptions
  /** Makes the project such that it comes to this end. */
  readonly prepare?: (one: Stage) => Promise<unknown> | void
  /** Does something to the process while it runs. */
  readonly disturb?: (one: Stage, running: Running) => Promise<unknown>
  /** What is said of it, on standard error and in the last event. */
  readonly says?: RegExp
  /** Whether the last event names a session, and how to go on with it. */
  readonly session?: 'resumable' | 'named'
}

const stall: WireLine = { text: 'I begin', chunks: 'word', fault: { type: 'stall', after: 1 } }
const hello = line('Here I am.')
const write = line(call('write', { file_path: 'a.txt', content: 'a\n' }))
const bug = `process.on('SIGUSR2', () => { throw new Error('a bug') })`

const waysOut: Readonly<Record<string, WayOut>> = {
  'an answer': { code: 'ok', words: ['Hello!'], lines: [hello], session: 'named' },
  'a task whose check passes': {
    code: 'ok',
    words: ['Create a.txt', '--check', 'grep -q a a.txt'],
    lines: [write, line('Done.')],
    session: 'named',
  },
  'a task that is not verified': {
    code: 'unverified',
    words: ['Create a.txt', '--check', 'grep -q b a.txt', '--config', 'limits.verificationRetries=0'],
    lines: [write, { ...line('It is done.'), repeat: 'any' }],
    session: 'resumable',
  },
  'a permission that nobody could give': {
    code: 'needsDecision',
    words: ['Write a.txt', '--permission-mode', 'prompt'],
    lines: [write, { ...line('I may not write it.'), repeat: 'any' }],
    session: 'resumable',
  },
  'a limit': {
    code: 'limit',
    words: ['Read absent.txt', '--max-turns', '1'],
    lines: [line(call('read', { file_path: 'absent.txt' }))],
    session: 'resumable',
  },
  'a model that refuses': {
    code: 'failure',
    words: ['Hello!'],
    lines: [{ fault: { type: 'throw', kind: 'auth' } }],
    says: /credentials/,
    session: 'resumable',
  },
  'a server that is down': {
    code: 'failure',
    words: ['Hello!', '--config', 'limits.maxAttempts=1'],
    options: { environment: { OLLAMA_HOST: 'http://127.0.0.1:9' } },
    says: /could not be reached/,
    session: 'resumable',
  },
  'no model': {
    code: 'usage',
    words: ['Hello!'],
    options: { environment: { LOADER_MODEL: '' } },
    says: /loader -m ollama\/scripted/,
  },
  'a model that nobody knows': { code: 'usage', words: ['Hello!', '-m', 'nowhere/x'], says: /no provider "nowhere"/ },
  'nothing to do': { code: 'usage', words: [], says: /nothing to do/ },
  'an option that is not there': {
    code: 'usage',
    words: ['Hello!', '--max-turn', '3'],
    says: /Did you mean --max-turns\?/,
  },
  'options that contradict each other': { code: 'usage', words: ['--fork', 'Hello!'], says: /--fork copies a session/ },
  'settings that are not valid': {
    code: 'usage',
    words: ['Hello!'],
    prepare: ({ config }) => writeFileSync(`${config}/settings.json`, '{\n  "limits": {\n    "maxTurns": 3\n  }\n}\n'),
    says: /settings\.json:3: limits\.maxTurns: not known/,
  },
  'rules that are not valid': {
    code: 'usage',
    words: ['Hello!'],
    prepare: (one) => one.write('.loader/permission-rules.json', '{\n  "deny": ["Bash("]\n}'),
    says: /permission-rules\.json:2/,
  },
  'a session that is not there': { code: 'failure', words: ['-r', 'ses_nowhere', 'Hello!'], says: /ses_nowhere/ },
  'no session to go on with': { code: 'failure', words: ['-c', 'Hello!'], says: /no session to go on with/ },
  'a session that somebody else writes': {
    code: 'busy',
    words: ['-c', 'Hello!'],
    lines: [stall],
    prepare(one) {
      one.start(['-p', 'Hello!'])
      return one.server.untilAsked(1)
    },
    says: /process \d+.* To take it over: the same command with --take-over\./,
    session: 'named',
  },
  'a session that is to be taken over, and is not named': {
    code: 'usage',
    words: ['--take-over', 'Hello!'],
    says: /--take-over takes a session over: say which/,
  },
  'a session that is damaged': {
    code: 'damaged',
    words: ['-c', 'Hello!'],
    lines: [hello],
    prepare: async (one) => {
      await one.run(['-p', 'Hello!'])
      await one.damage()
    },
    says: /damaged/,
    session: 'named',
  },
  'a folder for sessions that cannot be made': {
    code: 'failure',
    words: ['Hello!'],
    prepare({ store }) {
      mkdirSync(dirname(store.directory), { recursive: true })
      writeFileSync(store.directory, 'a file, where a folder should be')
    },
    says: /state\/projects\/.*sessions/,
    session: 'named',
  },
  'SIGINT while the model answers': {
    code: 'interrupted',
    words: ['Hello!'],
    lines: [stall],
    disturb: (one, { process: child }) => one.server.untilAsked(1).then(() => child.kill('SIGINT')),
    session: 'resumable',
  },
  'SIGTERM while a command runs': {
    code: 'terminated',
    words: ['Wait', '--permission-mode', 'allow'],
    lines: [line(call('bash', { command: 'touch started; sleep 30' }))],
    disturb: (one, { process: child }) => one.untilThere('started').then(() => child.kill('SIGTERM')),
    session: 'resumable',
  },
  'SIGTERM while the task is still awaited': {
    code: 'terminated',
    words: ['-', '--verbose'],
    options: { input: openInput },
    disturb: (_one, running) => untilSaid(running, /Reading/).then(() => running.process.kill('SIGTERM')),
    says: /before the work began/,
  },
  'an error that nobody caught': {
    code: 'failure',
    words: ['Hello!'],
    lines: [stall],
    options: { environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bug)}` } },
    disturb: (one, { process: child }) => one.server.untilAsked(1).then(() => child.kill('SIGUSR2')),
    says: /a bug/,
    session: 'resumable',
  },
}

const formats = ['text', 'json', 'events', 'stream-json'] as const

/** Each way in two forms; in the quick tier in one of them. */
const isTried = (index: number, format: (typeof formats)[number]) =>
  format === formats[index % formats.length] || (tier !== 'quick' && format === 'stream-json')

describe.concurrent('every way out has one last event, and an exit code', () => {
  for (const [index, [name, way]] of sample(Object.entries(waysOut), { quick: 10 }).entries()) {
    for (const format of formats.filter((one) => isTried(index, one))) {
      test(`${name}: ${format}`, async () => expectAsIn(format, await goOut(way, format), way))
    }
  }
})

test('every exit code is the end of some way', () => {
  expect(new Set(Object.values(waysOut).map(({ code }) => code))).toEqual(new Set(Object.keys(exitCodes)))
})

async function goOut(way: WayOut, format: string): Promise<Ended> {
  await using one = await stage(...(way.lines ?? []))
  await way.prepare?.(one)
  const ended = await endOf(one, way, ['-p', ...way.words, '--output-format', format])
  expect(ended).toMatchObject({ code: exitNumber(way.code), signal: null })
  if (way.says !== undefined && format === 'text') expect(ended.stderr).toMatch(way.says)
  return ended
}

/** What disturbs a process, or talks to it, needs one. */
async function endOf(one: Stage, { disturb, options }: WayOut, words: readonly string[]): Promise<Ended> {
  if (disturb === undefined && options?.input === undefined) return one.run(words, options)
  const running = one.start(words, options)
  await disturb?.(one, running)
  return running.ended
}

type Line = Readonly<Record<string, unknown>>

function expectResult(result: Line | undefined, { code, says, session }: WayOut): void {
  const isError = code !== 'ok'
  const subtype = isError ? (code === 'limit' ? 'error_max_turns' : 'error_during_execution') : 'success'
  expect(result).toMatchObject({ type: 'result', subtype, is_error: isError, loader: { exitCode: exitNumber(code) } })
  expect(typeof result?.['result']).toBe('string')
  if (isError) expect(result?.['errors']).toEqual([expect.stringMatching(says ?? /./)])
  expect(result?.['session_id']).toMatch(session === undefined ? /^$/ : /^ses_/)
  const resume = session === 'resumable' ? `loader -r ${String(result?.['session_id'])}` : null
  expect(result).toMatchObject({ loader: { resume } })
}

function expectAsIn(format: (typeof formats)[number], ended: Ended, way: WayOut): void {
  switch (format) {
    case 'text':
      return expectText(ended, way)
    case 'json':
      return expectOneResult(jsonLines(ended.stdout), way)
    case 'events':
      return expectEvents(jsonLines(ended.stdout), way)
    case 'stream-json':
      return expectStream(jsonLines(ended.stdout), way)
    default:
      return format satisfies never
  }
}

function expectOneResult([result, ...others]: readonly Line[], way: WayOut): void {
  expect(others).toEqual([])
  expectResult(result, way)
}

function expectStream(lines: readonly Line[], way: WayOut): void {
  for (const line of lines) expect(StreamJsonLine.parse(line)).toEqual(line)
  expect(lines.filter(({ subtype }) => subtype === 'init')).toEqual([lines[0]])
  expect(lines.filter(({ type }) => type === 'result')).toEqual([lines.at(-1)])
  expectResult(lines.at(-1), way)
  for (const { session_id } of lines) expect(session_id).toBe(lines[0]?.['session_id'])
}

function expectEvents(lines: readonly Line[], { code, says, session }: WayOut): void {
  for (const line of lines) expect(EventsLine.parse(line)).toEqual(line)
  expect(lines.filter(({ type }) => type === 'run.started')).toEqual([lines[0]])
  expect(lines.filter(({ type }) => type === 'run.finished')).toEqual([lines.at(-1)])
  const last = lines.at(-1)
  expect(last).toMatchObject({ exitCode: exitNumber(code), sessionId: lines[0]?.['sessionId'] })
  if (says !== undefined) expect(valueOf(last, 'error', 'message') ?? last?.['why']).toMatch(says)
  expect(last?.['sessionId']).toMatch(session === undefined ? /^$/ : /^ses_/)
  expect('resume' in (last ?? {})).toBe(session === 'resumable')
}

function valueOf(line: Line | undefined, name: string, inner: string): unknown {
  const value = line?.[name]
  return value instanceof Object ? Reflect.get(value, inner) : undefined
}

function expectText({ stdout, stderr }: Ended, { code, session }: WayOut): void {
  if (code === 'ok') expect(stderr).toBe('')
  else expect(stderr).toMatch(/^loader: /m)
  if (code !== 'ok' && code !== 'unverified' && code !== 'needsDecision') expect(stdout).not.toMatch(/loader/)
  if (session === 'resumable') expect(stderr).toMatch(/^Go on with: loader -r ses_\w+$/m)
  else expect(stderr).not.toMatch(/Go on with/)
}
