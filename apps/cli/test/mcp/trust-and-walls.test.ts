import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type Stage, stage } from '../e2e/stage/stage.ts'

const spy = fileURLToPath(new URL('stage/spy-server.mjs', import.meta.url))
const rest = { ...line('That is all.'), repeat: 'any' } as const
const reporting = [line('Let me see.', call('spy__report', {})), rest] as const
const words = [
  '-p',
  'Look around',
  '--mode',
  'execute',
  '--config',
  'completionCheck=false',
  '--allowed-tools',
  'mcp__spy',
]
const held = { environment: { LOADER_WALLS: 'required', SPIED_KEY: 'sk-spied-0123456789abcdef' } }

/** What the spy goes for: a key of the user, a file outside, one of the project, a service of this machine. */
function targets(one: Stage, port: number): readonly string[] {
  const home = join(one.project, '../home')
  mkdirSync(join(home, '.ssh'), { recursive: true })
  writeFileSync(join(home, '.ssh/id_ed25519'), 'PRIVATE KEY', { mode: 0o600 })
  one.write('package.json', '{ "name": "spied" }')
  return [
    spy,
    join(home, '.ssh/id_ed25519'),
    join(home, 'outside.txt'),
    one.path('inside.txt'),
    String(port),
    one.path('mark'),
  ]
}

const shared = (one: Stage, server: object) => one.write('.mcp.json', JSON.stringify({ mcpServers: { spy: server } }))

async function reported(one: Stage): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [row] = await one.sessions()
  const { history } = await one.session(row?.id ?? '')
  const [text] = history.flatMap((event) => (event.type === 'tool.finished' ? [Reflect.get(event, 'text')] : []))
  return typeof text === 'string' && text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined
}

async function service(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((_request, response) => void response.end())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}

describe('a program that looks around', () => {
  test('sees the project and nothing else, and changes nothing, in the walls that every server has', async () => {
    await using one = await stage(...reporting)
    await using local = await service()
    const args = targets(one, local.port)
    writeFileSync(
      join(one.config, 'settings.json'),
      JSON.stringify({ mcpServers: { spy: { command: process.execPath, args } } }),
    )
    const ended = await one.runHere(words, held)
    expect(ended.code).toBe(0)
    expect(await reported(one)).toMatchObject({
      secret: 'ENOENT',
      outside: expect.stringMatching(/ENOENT|EROFS|done/),
      inside: 'EROFS',
      look: '{ "name": "spied" }',
      key: 'none',
      network: 'ECONNREFUSED',
    })
    expect(existsSync(args[2] ?? '')).toBe(false)
    expect(existsSync(args[3] ?? '')).toBe(false)
  })

  test('without these walls it gets all of that: the test would see it', async () => {
    await using one = await stage(...reporting)
    await using local = await service()
    const args = targets(one, local.port)
    const open = { command: process.execPath, args, reach: 'open', env: { SPIED_KEY: '${SPIED_KEY}' } }
    writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ mcpServers: { spy: open } }))
    await one.runHere(words, held)
    expect(await reported(one)).toMatchObject({
      secret: 'PRIVATE KEY',
      outside: 'done',
      inside: 'done',
      // It got the key, and what it says of it reaches nobody.
      key: '[secret:known]',
      network: 'connected',
    })
  })

  test('is not started where there are no walls to start it in', async () => {
    await using one = await stage(...reporting)
    const args = targets(one, 9)
    writeFileSync(
      join(one.config, 'settings.json'),
      JSON.stringify({ mcpServers: { spy: { command: process.execPath, args } } }),
    )
    // A PATH without bubblewrap.
    const ended = await one.runHere(words, {
      environment: { LOADER_WALLS: 'required', PATH: join(one.project, 'bin') },
    })
    expect(ended.stderr).toContain('MCP server spy failed: there are no walls to start it in')
    expect(existsSync(one.path('mark'))).toBe(false)
  })
})

describe('a server of a project', () => {
  const plain = (one: Stage) => ({ command: process.execPath, args: targets(one, 9), reach: undefined })
  const marked = (one: Stage) => existsSync(one.path('mark'))
  /** Without walls, so that the program can leave a mark. */
  const run = (one: Stage, more: readonly string[] = []) => one.runHere([...words, ...more])

  test('is inert until the project is trusted, which is said; then it starts', async () => {
    await using one = await stage(rest)
    shared(one, plain(one))
    const before = await run(one)
    expect(before.stderr).toContain('MCP server spy not started: this project is not trusted: loader permissions trust')
    expect(marked(one)).toBe(false)
    await one.runHere(['permissions', 'trust'])
    await run(one)
    expect(marked(one)).toBe(true)
  })

  test.for([
    ['another reach', { reach: 'network' }],
    ['paths to write', { writable: ['src'] }],
    ['variables of the user', { env: { KEY: '${HOME}' } }],
    ['tools that need no question', { readOnly: ['*'] }],
  ] as const)('that wants %s waits for an approval, which ends when it changes', async ([, more]) => {
    await using one = await stage(rest)
    shared(one, { ...plain(one), ...more })
    await one.runHere(['permissions', 'trust'])
    const waits = await run(one)
    expect(waits.stderr).toMatch(/MCP server spy not started: it .*: loader mcp approve spy/)
    expect(marked(one)).toBe(false)
    expect((await one.runHere(['mcp', 'approve', 'spy'])).code).toBe(0)
    await run(one)
    expect(marked(one)).toBe(true)
    const marks = readFileSync(one.path('mark'), 'utf8')
    shared(one, { ...plain(one), ...more, args: [...plain(one).args, 'more'] })
    expect((await run(one)).stderr).toContain('(it is not as it was when you approved it)')
    expect(readFileSync(one.path('mark'), 'utf8')).toBe(marks)
  })

  test('at an address waits for an approval too: nothing is sent there before', async () => {
    await using one = await stage(rest)
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    try {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      shared(one, { type: 'http', url: `http://127.0.0.1:${port}/mcp` })
      await one.runHere(['permissions', 'trust'])
      await run(one)
      expect(asked).toEqual([])
      await one.runHere(['mcp', 'approve', 'spy'])
      await run(one)
      expect(asked).toContain('/mcp')
    } finally {
      server.close()
    }
  })

  test('does not take the place of one of the user, and cannot come in through settings of the project', async () => {
    await using one = await stage(rest)
    const own = { command: process.execPath, args: ['-e', ''] }
    writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ mcpServers: { spy: own } }))
    shared(one, plain(one))
    one.write('.loader/settings.json', JSON.stringify({ mcpServers: { spy: { ...own, args: targets(one, 9) } } }))
    await one.runHere(['permissions', 'trust'])
    await run(one)
    expect(marked(one)).toBe(false)
  })
})

describe('what a server in walls cannot be given to write', () => {
  test.for([
    ['.', 'which has the project in it'],
    ['..', 'which has the project in it'],
    ['.git/hooks', 'which is guarded'],
    ['.vscode', 'which is guarded'],
    ['notes', 'which leads out of the project'],
  ])('%s', async ([path = '', why = '']) => {
    await using one = await stage(rest)
    for (const folder of ['.git/hooks', '.git/objects', '.git/refs', '.vscode', '../home/private']) {
      mkdirSync(one.path(folder), { recursive: true })
    }
    writeFileSync(one.path('.git/HEAD'), 'ref: refs/heads/main\n')
    symlinkSync(one.path('../home/private'), one.path('notes'))
    const server = { command: process.execPath, args: targets(one, 9), writable: [path] }
    writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ mcpServers: { spy: server } }))
    const { stdout, code } = await one.runHere(['mcp', 'test'], held)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`it cannot be given ${path}, ${why}`)
    expect(code).toBe(1)
  })
})

test.runIf(fromCi).for(['off', 'required'])(
  'a server ends with loader, also when that is killed (walls %s)',
  async (walls) => {
    await using one = await stage({ ...line('Wait.'), fault: { type: 'stall', after: 0 } })
    const args = targets(one, 9)
    const server = { command: process.execPath, args, reach: walls === 'off' ? 'open' : 'work' }
    writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ mcpServers: { spy: server } }))
    const living = () => spawnSync('pgrep', ['-f', one.path('mark')], { encoding: 'utf8' }).stdout.trim()
    const running = one.start(words, { environment: { LOADER_WALLS: walls } })
    await expect.poll(living).not.toBe('')
    await expect.poll(() => one.server.requests.length).toBeGreaterThan(0)
    running.process.kill('SIGKILL')
    await running.ended
    await expect.poll(living).toBe('')
  },
)
