import { on } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { call, line } from '@loader/test-harness'
import { needing } from '@loader/test-tier'
import { wallsAround } from '@loader/workspace'
import { describe, expect, test } from 'vitest'
import { jsonLines, openInput, stage } from './stage/stage.ts'

const { state } = await wallsAround({ root: import.meta.dirname }).state()
const lack = state === 'held' ? undefined : 'there are no walls here'

describe('--json', () => {
  test('is short for --output-format json, for what cannot be understood as well', async () => {
    await using one = await stage(line('Hello.'))
    const short = await one.runHere(['Hello!', '--json'])
    expect(jsonLines(short.stdout)).toMatchObject([{ type: 'result', result: 'Hello.', is_error: false }])
    const wrong = await one.runHere(['Hello!', '--json', '--nonsense'])
    expect(wrong.code).toBe(2)
    expect(jsonLines(wrong.stdout)).toMatchObject([{ type: 'result', is_error: true }])
    expect(await one.runHere(['Hello!', '--json', '--output-format', 'events'])).toMatchObject({ code: 2 })
  })
})

describe('--output-schema', () => {
  const schema = JSON.stringify({
    type: 'object',
    properties: { files: { type: 'array', items: { type: 'string' } } },
    required: ['files'],
    additionalProperties: false,
  })
  const wanted = '{"files":["a.ts"]}'

  test('prints the JSON alone, and the model was told what it has to match', async () => {
    await using one = await stage(line(`\`\`\`json\n${wanted}\n\`\`\``))
    one.write('schema.json', schema)
    const ended = await one.runHere([
      '-p',
      'Which files are there? List them',
      '--config',
      'completionCheck=false',
      '--output-schema',
      'schema.json',
      '-o',
      'answer.json',
    ])
    expect(ended).toMatchObject({ code: 0, stdout: `${wanted}\n` })
    expect(readFileSync(one.path('answer.json'), 'utf8')).toBe(wanted)
    expect(one.server.requests[0]?.request?.system).toContain('must be JSON, and nothing else')
  })

  test('asks once more, and says to the model what was wrong', async () => {
    await using one = await stage(line('{"files":"a.ts","more":1}'), line(wanted))
    one.write('schema.json', schema)
    const ended = await one.runHere([
      '-p',
      'Which files are there? List them',
      '--output-schema',
      'schema.json',
      '--config',
      'completionCheck=false',
    ])
    expect(ended).toMatchObject({ code: 0, stdout: `${wanted}\n` })
    expect(JSON.stringify(one.server.requests.at(-1)?.request?.messages)).toMatch(
      /does not match the JSON schema: .*files/,
    )
  })

  test('ends with 3 when the second answer does not match either, and says why', async () => {
    await using one = await stage(line('There is a.ts.'), line('I said: a.ts.'))
    one.write('schema.json', schema)
    const flags = ['--output-schema', 'schema.json', '--config', 'completionCheck=false']
    const ended = await one.runHere(['-p', 'Which files are there? List them', ...flags, '--json'])
    expect(ended.code).toBe(3)
    const [result] = jsonLines(ended.stdout)
    expect(String(result?.['errors'])).toMatch(/does not match the schema of --output-schema: it is not JSON/)
  })

  test.for([
    ['no file', undefined, /cannot be read/],
    ['no JSON', '{', /this is not JSON/],
    ['no schema', '[1]', /is not a JSON schema/],
    ['a reference to nowhere', '{"$ref":"https://example.com/a.json"}', /cannot be checked/],
  ] as const)('with %s is refused before anything begins', async ([, text, why]) => {
    await using one = await stage()
    if (text !== undefined) one.write('schema.json', text)
    const ended = await one.runHere(['-p', 'Hello!', '--output-schema', 'schema.json'])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(why)
    expect(await one.sessions()).toEqual([])
  })
})

describe('--input-format stream-json', () => {
  const asLines = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json']
  const said = (content: unknown) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`

  test('takes a task from each line, one after the other, and gives each its result', async () => {
    await using one = await stage(line('Hello, Ann.'), line('You are Ann.'))
    const input = `${said('Hello! I am Ann.')}\n${said([{ type: 'text', text: 'Thanks! Who am I?' }])}`
    const ended = await one.runBuilt(asLines, { input })
    const lines = jsonLines(ended.stdout)
    expect(ended.code).toBe(0)
    expect(lines.filter(({ type }) => type === 'result')).toMatchObject([
      { result: 'Hello, Ann.', num_turns: 1 },
      { result: 'You are Ann.', num_turns: 1 },
    ])
    expect(lines.at(-1)).toMatchObject({ type: 'result' })
    expect(new Set(lines.map(({ uuid }) => uuid)).size).toBe(lines.length)
    expect(await one.sessions()).toHaveLength(1)
  })

  test('gives the result of a task while the input is still open', async () => {
    await using one = await stage(line('Hello, Ann.'), line('Bye.'))
    const running = one.start(asLines, { input: openInput })
    const { stdin, stdout } = running.process
    stdin?.write(said('Hello! I am Ann.'))
    let seen = ''
    for await (const [chunk] of on(stdout as NodeJS.ReadableStream, 'data')) {
      seen += String(chunk)
      if (seen.includes('"result":"Hello, Ann."')) break
    }
    stdin?.end(said('Thanks, bye!'))
    const { code, stdout: all } = await running.ended
    expect(code).toBe(0)
    expect(jsonLines(all).at(-1)).toMatchObject({ type: 'result', result: 'Bye.' })
  })

  test('refuses a line that it cannot use, by its number', async () => {
    await using one = await stage(line('Hello.'))
    const ended = await one.runBuilt(asLines, { input: `${said('Hello!')}{"type":"user"}\n` })
    expect(ended.code).toBe(2)
    const last = jsonLines(ended.stdout).at(-1)
    expect(last).toMatchObject({ is_error: true, errors: [expect.stringMatching(/^Line 2 of standard input/)] })
  })

  test('needs the output that has room for several results', async () => {
    await using one = await stage()
    expect(await one.runHere(['-p', '--input-format', 'stream-json'])).toMatchObject({ code: 2 })
  })
})

describe('--add-dir', () => {
  const walls = { environment: { LOADER_WALLS: 'required' } }
  const other = (one: Awaited<ReturnType<typeof stage>>) => join(one.project, '..', 'other')

  test(needing(lack, 'lets tools and commands change files there, and says what does not cover them'), async () => {
    await using one = await stage(
      line('Now.', call('write', { file_path: '../other/a.txt', content: 'a\n' })),
      line('And.', call('bash', { command: 'echo b > ../other/b.txt; echo c > ../c.txt' })),
      { ...line('Both are there.'), repeat: 'any' },
    )
    mkdirSync(other(one))
    const ended = await one.runHere(['-p', 'Write into ../other', '--add-dir', '../other'], walls)
    expect(ended.stderr).toMatch(/Changes in \S+other cannot be undone by loader/)
    expect(readFileSync(join(other(one), 'a.txt'), 'utf8')).toBe('a\n')
    expect(readFileSync(join(other(one), 'b.txt'), 'utf8')).toBe('b\n')
    expect(existsSync(join(one.project, '..', 'c.txt'))).toBe(false)
    const asked = JSON.stringify(one.server.requests[0]?.request)
    expect(asked).toContain(realpathSync(other(one)))
  })

  test(needing(lack, 'does not open anything before a plan is approved'), async () => {
    await using one = await stage(
      line('Now.', call('write', { file_path: '../other/a.txt', content: 'a\n' })),
      line('And.', call('bash', { command: 'echo b > ../other/b.txt' })),
      line('## Execution Order\n- Write'),
    )
    mkdirSync(other(one))
    await one.runHere(
      ['-p', 'Write into ../other, please, two files', '--mode', 'plan', '--add-dir', '../other'],
      walls,
    )
    expect(existsSync(join(other(one), 'a.txt'))).toBe(false)
    expect(existsSync(join(other(one), 'b.txt'))).toBe(false)
  })

  test.for(['../nowhere', '..'])('refuses %s', async (folder) => {
    await using one = await stage()
    expect(await one.runHere(['-p', 'Hello!', '--add-dir', folder])).toMatchObject({ code: 2 })
  })
})

test('--expect change is not met by an answer in words', async () => {
  await using one = await stage(line('Four.'))
  const ended = await one.runHere(['-p', 'What is 2+2?', '--expect', 'change'])
  expect(ended).toMatchObject({ code: 3, stdout: 'Four.\n' })
})

describe('--notify', () => {
  test('runs the command after the end was printed, with what it needs to know', async () => {
    await using one = await stage(line('Hello.'))
    const notify = 'printf "%s %s %s" "$LOADER_EXIT_CODE" "$LOADER_SESSION" "$LOADER_TEXT" > told.txt'
    const ended = await one.runHere(['-p', 'Hello!', '--notify', notify, '--json'])
    const [result] = jsonLines(ended.stdout)
    expect(readFileSync(one.path('told.txt'), 'utf8')).toBe(`0 ${String(result?.['session_id'])} Hello.`)
  })

  test('is told why there is no answer', async () => {
    await using one = await stage({ fault: { type: 'throw', kind: 'bad_request', message: 'No such thing.' } })
    const notify = 'printf "%s %s" "$LOADER_EXIT_CODE" "$LOADER_TEXT" > told.txt'
    await one.runHere(['-p', 'Hello!', '--notify', notify])
    expect(readFileSync(one.path('told.txt'), 'utf8')).toMatch(/^1 .*ollama\/scripted .*No such thing\./s)
  })

  test('changes nothing about the run when it fails', async () => {
    await using one = await stage(line('Hello.'))
    const ended = await one.runHere(['-p', 'Hello!', '--notify', 'exit 7'])
    expect(ended).toMatchObject({ code: 0, stdout: 'Hello.\n' })
    expect(ended.stderr).toMatch(/--notify ended with 7: exit 7/)
  })
})

test('the AGENTS.md of the user is told to the model in every project, before that of the project', async () => {
  await using one = await stage(line('I see.'))
  one.write('../config/AGENTS.md', 'Always answer in verse.\n')
  one.write('AGENTS.md', 'Use tabs.\n')
  await one.runHere(['-p', 'Look at what is there', '--config', 'completionCheck=false', '--mode', 'execute'])
  const asked = JSON.stringify(one.server.requests[0]?.request)
  expect(asked.indexOf('Always answer in verse.')).toBeGreaterThan(0)
  expect(asked.indexOf('Use tabs.')).toBeGreaterThan(asked.indexOf('Always answer in verse.'))
})
