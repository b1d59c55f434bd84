import { call, line } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { outcomes, permits, resultTexts, talk } from './stage/agent-with-servers.ts'

const rest = Array.from({ length: 5 }, () => line('That is all.'))
const does = (...names: readonly string[]) => [
  ...names.map((name, index) => line('Now.', call(`evil__${name}`, { path: `${index}` }))),
  ...rest,
]
/** Marks of direction, and letters without a shape. */
const invisible = /[\u202a-\u202e]|[\u{e0000}-\u{e0fff}]/u

describe('a server that breaks off a call leaves it unknown, is started once more, and the session goes on', () => {
  test.for([
    ['crash', 'ended during the call'],
    ['big', 'more than 16 MiB'],
    ['flood', 'more messages than anybody asked for'],
  ])('%s', async ([name = '', why = '']) => {
    await using one = await talk({ lines: does(name, 'good', name, 'good') })
    const events = await one.run('Do it')
    expect(outcomes(events)).toEqual([
      `evil__${name} unknown`,
      'evil__good ok',
      `evil__${name} unknown`,
      'evil__good failed',
    ])
    expect(resultTexts(events)[0]).toContain(why)
    expect(one.log.filter((entry) => entry.startsWith('start'))).toHaveLength(2)
    expect(one.servers.servers).toMatchObject([{ name: 'evil', state: 'ended', starts: 2 }])
    const states = events.flatMap((event) =>
      event.type === 'policy.applied'
        ? (event.tools?.servers ?? []).map(({ state, starts = 1 }) => `${state} ${starts}`)
        : [],
    )
    expect(states).toEqual(expect.arrayContaining(['connected 1', 'connected 2', 'ended 2']))
  })

  test('hang, after the time that a call may take; the server has not ended and is asked again', async () => {
    await using one = await talk({ lines: does('hang', 'good'), more: { timeoutSeconds: 0.3 } })
    const events = await one.run('Do it')
    expect(outcomes(events)).toEqual(['evil__hang unknown', 'evil__good ok'])
    expect(resultTexts(events)[0]).toContain('no answer within 0.3 s')
    expect(one.log.filter((entry) => entry.startsWith('start'))).toHaveLength(1)
  })

  test('an answer that is no result is told in words, and what the call did is unknown', async () => {
    await using one = await talk({ lines: does('unreadable', 'good') })
    const events = await one.run('Do it')
    expect(outcomes(events)).toEqual(['evil__unreadable unknown', 'evil__good ok'])
    expect(resultTexts(events)[0]).toContain('its answer could not be read')
    expect(resultTexts(events)[0]).not.toContain('{')
  })

  test('a turn that is stopped during a call ends at once, and the call is unknown', async () => {
    await using one = await talk({ lines: does('hang') })
    const running = one.run('Do it')
    await expect.poll(() => one.log).toContain('call hang')
    one.agent.cancel('enough')
    expect(outcomes(await running)).toEqual(['evil__hang unknown'])
  })
})

test('garbage, depth and lies about results are survived, and escapes reach nobody', async () => {
  await using one = await talk({ lines: does('garbage', 'deep', 'lie', 'escapes') })
  const events = await one.run('Do it')
  expect(outcomes(events)).toEqual(['evil__garbage ok', 'evil__deep ok', 'evil__lie ok', 'evil__escapes ok'])
  expect(resultTexts(events)).toEqual(['after garbage', 'after depth', 'lied', 'red'])
  const seen = JSON.stringify([one.asked, one.backend.requests.map(({ tools }) => tools), one.servers.servers])
  expect(JSON.parse(seen) as unknown).toBeDefined()
  expect(invisible.test(seen.replaceAll(/\\[nt]/g, ''))).toBe(false)
  expect(seen).not.toMatch(/\\u001b|\\u0007/)
})

describe('nothing is allowed that was not', () => {
  test('hints, titles and descriptions of a server permit nothing: each call asks, in the words of the runtime', async () => {
    await using one = await talk({ lines: does('good', 'lie') })
    one.answer = { permit: 'deny', scope: 'once' }
    const events = await one.run('Do it')
    expect(permits(events)).toEqual(['ask', 'deny', 'ask', 'deny'])
    expect(one.asked.map(({ title }) => title)).toEqual([
      'Call good of the MCP server evil',
      'Call lie of the MCP server evil',
    ])
    expect(one.log.filter((entry) => entry.startsWith('call'))).toEqual([])
  })

  test('headless, every call is denied, and the server hears of none', async () => {
    await using one = await talk({ lines: does('good') })
    expect(outcomes(await one.run('Do it', 'headless'))).toEqual(['evil__good denied'])
    expect(one.log.filter((entry) => entry.startsWith('call'))).toEqual([])
  })

  test('read-only mode denies, unless the user says that the tool reads', async () => {
    await using one = await talk({
      lines: does('good', 'lie'),
      permissionMode: 'read-only',
      more: { readOnly: ['goo*'] },
    })
    expect(outcomes(await one.run('Do it', 'headless'))).toEqual(['evil__good ok', 'evil__lie denied'])
  })

  test('a yes that lasts is over when the tool changes, which is said, also within a turn', async () => {
    await using one = await talk({ lines: does('good', 'good', 'change', 'good', 'change', 'good') })
    one.answer = { permit: 'allow', scope: 'session' }
    const events = await one.run('Do it')
    expect(one.asked.map(({ tool }) => tool)).toEqual(['evil__good', 'evil__change', 'evil__good'])
    expect(one.asked[2]?.reason).toContain('evil__good has changed since')
    expect(resultTexts(events)).toEqual(['good 1', 'good 1', 'changed', 'good 2', 'changed', 'good 2'])
  })

  test('a yes for a tool is not one for a tool of another program under the same name', async () => {
    await using one = await talk({ lines: does('good') })
    one.answer = { permit: 'allow', scope: 'always' }
    const events = await one.run('Do it')
    const rules = events.flatMap((event) => (event.type === 'permission.rule_added' ? [event.rule] : []))
    expect(rules).toMatchObject([{ permit: 'allow', tool: 'evil__good', definition: expect.any(String) }])
    await using same = await talk({ lines: does('good'), rules })
    await same.run('Do it')
    // Another folder is another argument, so that this is another program.
    expect(same.asked).toHaveLength(1)
  })
})

describe('what a server wants to know', () => {
  test('is asked and recorded like a question of the model', async () => {
    await using one = await talk({ lines: does('ask') })
    const questions: string[] = []
    const answers = ['answer', '1234']
    one.askUser = async ({ title, text }) => {
      questions.push(`${title}: ${text}`)
      return answers.shift()
    }
    const events = await one.run('Do it')
    expect(questions).toEqual([
      'The MCP server evil asks: Which PIN?\n\nIt wants to know: PIN.',
      'The MCP server evil asks: PIN',
    ])
    expect(one.log).toContain('answer {"action":"accept","content":{"pin":"1234"}}')
    const types = events.map(({ type }) => type)
    expect(types.filter((type) => type === 'question.answered')).toHaveLength(3)
    expect(outcomes(events)).toEqual(['evil__ask ok'])
  })

  test('is declined where nobody is there, and the result says so', async () => {
    await using one = await talk({ lines: does('ask'), permissionMode: 'danger-full-access' })
    const events = await one.run('Do it', 'headless')
    expect(one.log).toContain('answer {"action":"decline"}')
    expect(resultTexts(events)[0]).toMatch(/asked the user "Which PIN\?"; nobody answered, so it was declined/)
  })

  test('is left when the call is over before the answer, and the question is closed', async () => {
    await using one = await talk({ lines: does('ask', 'good'), mode: 'impatient' })
    one.askUser = () => new Promise(() => undefined)
    const events = await one.run('Do it')
    expect(outcomes(events)).toEqual(['evil__ask ok', 'evil__good ok'])
    const ended = events.filter((event) => event.type === 'question.answered' && event.outcome === 'unanswered')
    expect(ended).toHaveLength(1)
  })
})

describe('what a server offers', () => {
  test('with names that collide, are too long, or that no provider takes, gets names that are taken', async () => {
    await using one = await talk({ lines: rest, mode: 'names' })
    await one.run('Hello')
    const names = (one.backend.requests[0]?.tools ?? [])
      .map(({ name }) => name)
      .filter((name) => name.startsWith('evil'))
    expect(names).toHaveLength(9)
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(9)
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(names).toContain('evil__ok')
    expect(one.servers.servers[0]?.why).toBe('it names 1 tools twice')
  })

  test('with schemas that make providers refuse a request, is offered with one that they take', async () => {
    await using one = await talk({ lines: rest, mode: 'schemas' })
    await one.run('Hello')
    const tools = (one.backend.requests[0]?.tools ?? []).filter(({ name }) => name.startsWith('evil'))
    const open = { type: 'object', additionalProperties: true }
    const plain = { type: 'object', properties: { path: { type: 'string' } } }
    expect(tools.map(({ inputSchema }) => inputSchema)).toEqual([...Array<unknown>(7).fill(open), plain])
  })

  test('in thousands is offered by search, and what was found can be called from then on', async () => {
    const find = call('find_tools', { query: 'zebras' })
    await using one = await talk({
      lines: [line('Looking.', find), line('Now.', call('evil__tool_77', { path: '' })), ...rest],
      mode: 'huge',
    })
    const events = await one.run('Do it')
    const sizes = one.backend.requests.map(({ tools }) => tools.filter(({ name }) => name.startsWith('evil')).length)
    expect(one.servers.servers).toMatchObject([{ tools: 400, why: '2600 of its tools are left out' }])
    expect(sizes).toEqual([0, 1, 2])
    expect(outcomes(events)).toEqual(['find_tools ok', 'evil__tool_77 ok'])
  })

  test('not at all, because it never answers, keeps nobody waiting for longer than was said', async () => {
    await using one = await talk({ lines: rest, mode: 'silent', waitMs: 200 })
    const events = await one.run('Hello')
    expect(events.at(-1)?.type).toBe('turn.finished')
  })
})
