import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { keptLogins, tokensIn } from '../../src/mcp/kept-logins.ts'
import { McpListOutput, McpTestOutput } from '../../src/schemas/mcp.ts'
import { type Stage, stage } from '../e2e/stage/stage.ts'
import { guardedServer } from './stage/guarded-server.ts'

const rest = { ...line('That is all.'), repeat: 'any' } as const
const { resolve } = createRequire(import.meta.url)
const everything = join(dirname(resolve('@modelcontextprotocol/server-everything/package.json')), 'dist/index.js')
const settings = (one: Stage) => JSON.parse(readFileSync(join(one.config, 'settings.json'), 'utf8')) as unknown
const listed = async (one: Stage) =>
  McpListOutput.parse(JSON.parse((await one.runHere(['mcp', 'list', '--json'])).stdout)).servers

describe('loader mcp add, list, remove', () => {
  test('change the settings of the user, and what is added is listed with what it is', async () => {
    await using one = await stage(rest)
    writeFileSync(join(one.config, 'settings.json'), '{ "model": "a/b" }\n')
    const added = [
      'mcp',
      'add',
      'docs',
      '--reach',
      'network',
      '--writable',
      'notes',
      '-e',
      'KEY=${KEY}',
      '--read-only',
      'list_*',
    ]
    expect((await one.runHere([...added, '--', 'npx', '-y', 'some-server', '--flag'])).code).toBe(0)
    const server = { command: 'npx', args: ['-y', 'some-server', '--flag'], env: { KEY: '${KEY}' }, reach: 'network' }
    expect(settings(one)).toEqual({
      model: 'a/b',
      mcpServers: { docs: { ...server, writable: ['notes'], readOnly: ['list_*'] } },
    })
    expect(await listed(one)).toMatchObject([
      {
        name: 'docs',
        transport: 'stdio',
        target: 'npx -y some-server --flag',
        reach: 'network',
        inert: 'not set: KEY',
      },
    ])
    expect((await one.runHere([...added, '--', 'other'])).stderr).toContain('In its place: --force')
    expect((await one.runHere(['mcp', 'remove', 'docs'])).code).toBe(0)
    expect(settings(one)).toEqual({ model: 'a/b' })
    expect((await one.runHere(['mcp', 'remove', 'docs'])).code).toBe(2)
  })

  test('of a project writes what programs share, and keeps what this user lets it do to itself', async () => {
    await using one = await stage(rest)
    one.write('.mcp.json', '{\n  // shared\n  "mcpServers": {}\n}\n'.replace('  // shared\n', ''))
    const header = 'Authorization: Bearer ${TOKEN}'
    await one.runHere([
      'mcp',
      'add',
      'tracker',
      '--project',
      '--header',
      header,
      '--read-only',
      'get',
      'https://t.example/mcp?x=1',
    ])
    const file = JSON.parse(readFileSync(one.path('.mcp.json'), 'utf8')) as unknown
    expect(file).toEqual({
      mcpServers: {
        tracker: { type: 'http', url: 'https://t.example/mcp?x=1', headers: { Authorization: 'Bearer ${TOKEN}' } },
      },
    })
    expect(await listed(one)).toMatchObject([{ target: 'https://t.example/mcp', origin: 'project', reach: null }])
    expect((await listed(one))[0]?.inert).toContain('not trusted')
    await one.runHere(['permissions', 'trust'])
    expect((await listed(one))[0]?.inert).toBe('not set: TOKEN')
    await one.runHere(['mcp', 'approve', 'tracker', '--revoke'])
    expect((await listed(one))[0]?.inert).toBe('it is at https://t.example/mcp: loader mcp approve tracker')
  })

  test.for([
    [['a__b', '--', 'x'], 'cannot be called'],
    [['a', '--env', 'KEY', '--', 'x'], 'has no = between'],
    [['a', '--header', 'x: y', '--', 'x'], 'says nothing about a program'],
    [['a', '--reach', 'open', 'https://x'], 'says nothing about a server that runs elsewhere'],
    [['a', 'https://x', 'y'], 'An address stands alone'],
  ] as const)('%j is refused', async ([words, why]) => {
    await using one = await stage(rest)
    const { code, stderr } = await one.runHere(['mcp', 'add', ...words])
    expect(code).toBe(2)
    expect(stderr).toContain(why)
    expect(existsSync(join(one.config, 'settings.json'))).toBe(false)
  })

  test('show no value of a variable or a header', async () => {
    await using one = await stage(rest)
    const secret = 'correct-horse-battery'
    const server = { url: `https://u:${secret}@x.example/mcp?key=${secret}`, headers: { Key: secret } }
    writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ mcpServers: { a: server } }))
    for (const words of [['config'], ['config', '--json'], ['mcp', 'list'], ['mcp', 'list', '--json'], ['doctor']]) {
      expect((await one.runHere(words)).stdout).not.toContain(secret)
    }
  })
})

test.runIf(fromCi)('test, prompts, resources and questions of a server, in a run', async () => {
  await using one = await stage(line('Now.', call('everything__echo', { message: 'hi' })), rest)
  const server = { command: process.execPath, args: [everything, 'stdio'], tools: ['echo', 'get-*'] }
  writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ mcpServers: { everything: server } }))
  const tested = await one.runHere(['mcp', 'test', '--json'])
  const [first] = McpTestOutput.parse(JSON.parse(tested.stdout)).servers
  expect(first).toMatchObject({ name: 'everything', state: 'connected', walls: 'none' })
  expect(first?.tools.map(({ name }) => name)).toContain('everything__echo')
  expect(first?.tools.map(({ name }) => name)).not.toContain('everything__trigger-elicitation-request')
  expect(first?.tools.every(({ asks }) => asks)).toBe(true)
  const resource = '@everything:demo://resource/static/document/features.md'
  const ended = await one.runHere([
    '-p',
    `Fix what ${resource} says.`,
    '--mode',
    'execute',
    '--config',
    'completionCheck=false',
  ])
  expect(ended.stderr).not.toContain('could not be read')
  const said = JSON.stringify(one.server.requests[0]?.request?.messages)
  expect(said).toContain(`<resource uri=\\"${resource}\\">`)
  expect(said).toContain('# Everything Server')
  await one.runHere([
    '-p',
    '/everything:args-prompt Paris state=Texas',
    '--mode',
    'execute',
    '--config',
    'completionCheck=false',
  ])
  const last = JSON.stringify(one.server.requests.at(-1)?.request?.messages)
  expect(last).toContain("What's weather in Paris, Texas?")
  const status = JSON.parse((await one.runHere(['status', '--json'])).stdout) as {
    session: { policy: { servers: unknown } }
  }
  expect(status.session.policy.servers).toMatchObject([{ name: 'everything', state: 'connected' }])
})

describe('logins', () => {
  test('are in a file of the user alone, for one address, and are not used where others can read them', async () => {
    await using one = await stage(rest)
    const places = { config: one.config }
    const logins = keptLogins(places)
    const file = join(one.config, 'mcp-logins.json')
    const tokens = { access_token: 'at-0123456789', refresh_token: 'rt-0123456789' }
    logins.write('a', { url: 'https://a', tokens, client: { client_secret: 'cs-0123456789' } })
    logins.write('b', { url: 'https://b' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(logins.read('a')).toMatchObject({ url: 'https://a', tokens })
    expect(tokensIn(places)).toEqual(['at-0123456789', 'rt-0123456789', 'cs-0123456789'])
    logins.write('b', undefined)
    expect(logins.read('b')).toBeUndefined()
    chmodSync(file, 0o644)
    expect(logins.read('a')).toBeUndefined()
    expect((await one.runHere(['doctor'])).stdout.replaceAll(/\s+/g, ' ')).toContain(`chmod 600 ${file}`)
  })
})

test.runIf(fromCi)(
  'a server that wants a login says so, gets one by the browser, which is renewed, and seen by nobody',
  async () => {
    await using guarded = await guardedServer()
    await using one = await stage(line('Not without it.'), line('Now.', call('guarded__whoami', {})), rest)
    const browser = join(one.config, 'browser.mjs')
    writeFileSync(browser, `#!${process.execPath}\nawait fetch(process.argv[2])\n`, { mode: 0o755 })
    await one.runHere(['mcp', 'add', 'guarded', guarded.url])
    const words = ['-p', 'Fix it', '--mode', 'execute', '--config', 'completionCheck=false']
    const run = () => one.runHere([...words, '--allowed-tools', 'mcp__guarded'])
    expect((await run()).stderr).toContain('guarded failed: it wants you to log in: loader mcp login guarded')
    // A run registers nothing, and begins no login.
    expect(guarded.seen.filter((path) => /register|authorize|token/.test(path))).toEqual([])
    const login = await one.runBuilt(['mcp', 'login', 'guarded'], { environment: { BROWSER: browser } })
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('Logged in with guarded') })
    expect(statSync(join(one.config, 'mcp-logins.json')).mode & 0o777).toBe(0o600)
    guarded.expire()
    guarded.seen.length = 0
    await run()
    expect(guarded.seen).toContain('POST /token')
    const [row] = await one.sessions()
    const text = JSON.stringify((await one.session(row?.id ?? '')).history)
    expect(text).toContain('You came with Bearer [secret:known]')
    expect(text).not.toMatch(/access-\d-0123456789abcdef|refresh-0123456789abcdef/)
    await one.runHere(['mcp', 'login', 'guarded', '--forget'])
    expect((await run()).stderr).toContain('it wants you to log in')
  },
)
