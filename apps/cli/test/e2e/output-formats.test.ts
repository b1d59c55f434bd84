import { readFileSync } from 'node:fs'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { beforeAll, describe, expect, test } from 'vitest'
import { EventsLine, ResultLine, StreamJsonLine } from '../../src/schemas/runs.ts'
import { type Ended, jsonLines, type Stage, stage } from './stage/stage.ts'

const usage = { inputTokens: 100, outputTokens: 20 }

/** A task with two calls, of which one fails, and an answer. */
function task(): Promise<Stage> {
  const calls = [
    call('write', { file_path: 'hello.txt', content: 'hello\n' }),
    call('read', { file_path: 'absent.txt' }),
  ]
  return stage(
    { reasoning: 'The file is not there yet.', text: 'I write hello.txt.', calls, usage, chunks: 'word' },
    { ...line('hello.txt is written.'), usage, chunks: 'word' },
  )
}

const words = ['-p', 'Create hello.txt with one line.', '--check', 'grep -q hello hello.txt']
const answer = [
  'hello.txt is written.',
  '',
  'Verified: red before, green now, by checks as they were: the check as a whole.',
  '- PASS `grep -q hello hello.txt`',
].join('\n')

async function done(one: Stage, ...more: readonly string[]): Promise<Ended> {
  const ended = await one.run([...words, ...more])
  expect(ended.stderr).toBe('')
  expect(ended.code).toBe(0)
  expect(readFileSync(one.path('hello.txt'), 'utf8')).toBe('hello\n')
  one.server.assertDone()
  return ended
}

test.runIf(fromCi)('text prints the answer and nothing else', async () => {
  await using one = await task()
  const { stdout } = await done(one, '--output-last-message', 'answer.txt')
  expect(stdout).toBe(`${answer}\n`)
  expect(readFileSync(one.path('answer.txt'), 'utf8')).toBe('hello.txt is written.')
})

test('events prints a first line, the durable events of the session, and a last line', async () => {
  await using one = await task()
  const lines = jsonLines((await done(one, '--output-format', 'events')).stdout)
  for (const line of lines) expect(EventsLine.parse(line)).toEqual(line)
  const [row] = await one.sessions()
  const { history } = await one.session(row?.id ?? '')
  expect(lines[0]).toMatchObject({
    type: 'run.started',
    sessionId: row?.id,
    model: 'ollama/scripted',
    folder: one.project,
  })
  const events = lines.slice(1, -1)
  expect(events.map(({ type }) => type)).toContain('turn.started')
  expect(events).toEqual(history.slice(-events.length))
  expect(lines.at(-1)).toMatchObject({
    type: 'run.finished',
    sessionId: row?.id,
    exitCode: 0,
    verdict: 'verified',
    text: answer,
  })
})

test.runIf(fromCi)('json prints the result line of stream-json alone', async () => {
  await using one = await task()
  const { stdout } = await done(one, '--output-format', 'json', '--verbose')
  const [result, ...others] = jsonLines(stdout)
  expect(others).toEqual([])
  expect(ResultLine.parse(result)).toEqual(result)
  expect(result).toMatchObject({ type: 'result', subtype: 'success', is_error: false, result: answer, num_turns: 2 })
  expect(result).toMatchObject({ usage: { input_tokens: 200, output_tokens: 40 } })
  expect(result).toMatchObject({ modelUsage: { 'ollama/scripted': { inputTokens: 200, outputTokens: 40 } } })
  const criteria = [{ text: '`grep -q hello hello.txt` succeeds', verdict: 'verified' }]
  // The session has only this run.
  const { usage, session } = ResultLine.parse(result).loader
  expect(usage).toEqual(session)
  expect(usage).toMatchObject({ turns: 1, iterations: 2 })
  expect(result).toMatchObject({
    loader: { exitCode: 0, verdict: 'verified', criteria, outcomes: { ok: 1, failed: 1 } },
  })
})

describe('stream-json', () => {
  let lines: Line[] = []

  beforeAll(async () => {
    await using one = await task()
    lines = jsonLines((await done(one, '--output-format', 'stream-json')).stdout)
  })

  test('has one line for each block of an answer and each result, between init and result', () => {
    expect(lines.map(shapeOf)).toEqual([
      'system/init',
      'assistant[thinking]',
      'assistant[text]',
      'assistant[tool_use]',
      'assistant[tool_use]',
      'user[tool_result]',
      'user[tool_result]',
      'assistant[text]',
      'result/success',
    ])
    expectInvariants(lines)
    const answers = lines.filter(({ type }) => type === 'assistant').map(messageOf)
    expect(answers.map(({ stop_reason }) => stop_reason)).toEqual([null, null, null, 'tool_use', 'end_turn'])
    expect(answers.reduce((sum, message) => sum + Number(partOf(message, 'usage')['output_tokens']), 0)).toBe(40)
    const results = lines.filter(({ type }) => type === 'user').map(({ tool_use_result }) => tool_use_result)
    expect(results).toEqual([{ outcome: 'ok' }, { outcome: 'failed' }])
  })

  test('adds what the user said and text as it arrives, when asked to', async () => {
    await using one = await task()
    const options = ['--include-partial-messages', '--replay-user-messages', '--verbose']
    const { stdout } = await one.run([...words, '--output-format', 'stream-json', ...options])
    const lines = jsonLines(stdout)
    expectInvariants(lines)
    expect(lines.find(({ isReplay }) => isReplay)).toMatchObject({ type: 'user', message: { content: words[1] } })
    const events = lines.filter(({ type }) => type === 'stream_event').map((each) => partOf(each, 'event'))
    const told = events.flatMap(({ delta }) =>
      isObject(delta) && delta['type'] === 'text_delta' ? [delta['text']] : [],
    )
    expect(told.length).toBeGreaterThan(4)
    expect(told.join('')).toBe('I write hello.txt.hello.txt is written.')
    const types = events.map(({ type }) => type)
    expect(types.filter((type) => type === 'message_start')).toHaveLength(2)
    expect(types.filter((type) => type === 'message_stop')).toHaveLength(2)
    expect(types.filter((type) => type === 'content_block_start')).toHaveLength(
      types.filter((type) => type === 'content_block_stop').length,
    )
    for (const event of theirs('partial-messages').filter(({ type }) => type === 'stream_event')) {
      const type = partOf(event, 'event')['type']
      if (types.includes(type)) expect(Object.keys(partOf(event, 'event'))).toEqual(keysOfFirst(events, type))
    }
  })

  test('has every field that wrappers of Claude Code read, of the same type', () => {
    for (const [name, pick] of lineTypes) {
      const [ours, other] = [lines.find(pick), theirs('success').find(pick)]
      for (const field of fieldsOf[name]) {
        const [own, their] = [valueAt(ours, field), valueAt(other, field)]
        expect(own, `${name} has ${field}`).not.toBe(undefined)
        // What is null there may be a text elsewhere, and what is a text there may be unknown here.
        if (own !== null && their !== null) expect(kindOf(own), `${name}: ${field}`).toBe(kindOf(their))
      }
    }
  })

  test('says that a request is tried again in the words that wrappers know', async () => {
    await using one = await stage(
      { fault: { type: 'throw', kind: 'overloaded', retryAfterMs: 10 } },
      { text: 'Here I am.' },
    )
    const lines = jsonLines((await one.run(['-p', 'Hello!', '--output-format', 'stream-json'])).stdout)
    expectInvariants(lines)
    const [retry] = lines.filter(({ subtype }) => subtype === 'api_retry')
    const [other] = theirs('retried').filter(({ subtype }) => subtype === 'api_retry')
    expect(retry).toMatchObject({ attempt: 1, max_retries: 4, error: 'overloaded' })
    for (const field of Object.keys(other ?? {})) expect(kindOf(retry?.[field])).toBe(kindOf(other?.[field]))
  })
})

type Line = Readonly<Record<string, unknown>>

const lineTypes: readonly (readonly [keyof typeof fieldsOf, (line: Line) => boolean])[] = [
  ['init', ({ subtype }) => subtype === 'init'],
  ['assistant', (line) => line['type'] === 'assistant' && shapeOf(line) === 'assistant[tool_use]'],
  ['user', (line) => line['type'] === 'user' && JSON.stringify(line).includes('"is_error":true')],
  ['result', ({ type }) => type === 'result'],
]

const everywhere = ['type', 'session_id', 'uuid']
const inMessages = [...everywhere, 'parent_tool_use_id', 'timestamp', 'message', 'message.role', 'message.content']
const ofAnswers = [
  'id',
  'type',
  'model',
  'stop_reason',
  'stop_sequence',
  'usage',
  'usage.input_tokens',
  'usage.output_tokens',
]
const tokens = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens']
const modelTokens = [
  'inputTokens',
  'outputTokens',
  'cacheReadInputTokens',
  'cacheCreationInputTokens',
  'costUSD',
  'contextWindow',
]
const ofResults = [
  'subtype',
  'is_error',
  'result',
  'num_turns',
  'duration_ms',
  'duration_api_ms',
  'total_cost_usd',
  'stop_reason',
  'usage',
  'permission_denials',
  'modelUsage',
]
const lists = ['tools', 'mcp_servers', 'slash_commands', 'agents', 'skills', 'plugins']
const fieldsOf = {
  init: [...everywhere, 'subtype', 'cwd', 'model', 'permissionMode', 'apiKeySource', 'output_style', ...lists],
  assistant: [
    ...inMessages,
    ...ofAnswers.map((name) => `message.${name}`),
    ...['type', 'id', 'name', 'input'].map((name) => `message.content.0.${name}`),
  ],
  user: [...inMessages, ...['type', 'tool_use_id', 'content', 'is_error'].map((name) => `message.content.0.${name}`)],
  result: [
    ...everywhere,
    ...ofResults,
    ...tokens.map((name) => `usage.${name}`),
    ...modelTokens.map((name) => `modelUsage.*.${name}`),
  ],
} as const

/** The same for every run, however it goes. */
function expectInvariants(lines: readonly Line[]): void {
  for (const line of lines) expect(StreamJsonLine.parse(line)).toEqual(line)
  expect(lines.map(shapeOf).filter((shape) => shape === 'system/init')).toHaveLength(1)
  expect(lines.filter(({ type }) => type === 'result')).toHaveLength(1)
  expect(shapeOf(lines[0] ?? {})).toBe('system/init')
  expect(lines.at(-1)?.['type']).toBe('result')
  expect(new Set(lines.map(({ session_id }) => session_id)).size).toBe(1)
  expect(new Set(lines.map(({ uuid }) => uuid)).size).toBe(lines.length)
  for (const { uuid } of lines) expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  const blocks = lines.filter(({ type }) => type === 'assistant' || type === 'user').flatMap(contentOf)
  const asked = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
  expect(blocks.filter(({ type }) => type === 'tool_result').map((block) => block['tool_use_id'])).toEqual(asked)
}

function shapeOf(line: Line): string {
  const [first] = contentOf(line)
  if (first !== undefined) return `${String(line['type'])}[${String(first['type'])}]`
  return `${String(line['type'])}/${String(line['subtype'])}`
}

function contentOf(line: Line): Line[] {
  const content = isObject(line['message']) ? line['message']['content'] : undefined
  return Array.isArray(content) ? content.filter(isObject) : []
}

function messageOf(line: Line): Line {
  return partOf(line, 'message')
}

function partOf(line: Line, name: string): Line {
  const part = line[name]
  return isObject(part) ? part : {}
}

function keysOfFirst(events: readonly Line[], type: unknown): string[] {
  return Object.keys(events.find((event) => event['type'] === type) ?? {})
}

function isObject(value: unknown): value is Line {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** With `*` for the only key there is. */
function valueAt(value: unknown, path: string): unknown {
  let place: unknown = value
  for (const name of path.split('.')) {
    if (place === null || typeof place !== 'object') return undefined
    const key = name === '*' ? (Object.keys(place)[0] ?? '') : name
    place = Reflect.get(place, key)
  }
  return place
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return value === null ? 'null' : typeof value
}

function theirs(name: string): Line[] {
  return jsonLines(readFileSync(new URL(`fixtures/claude-code/${name}.stream.jsonl`, import.meta.url), 'utf8'))
}
