import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { line } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { builtLoader } from './stage/built-loader.ts'
import { loaderNode, type Stage, stage } from './stage/stage.ts'

const dist = dirname(builtLoader())

/** How a chunk is known that holds a part of the whole. */
const marks = {
  'libraries of providers': /vercel\.ai\.error/,
  zod: /ZodError/,
  decisions: /definition_of_done_requires_verification/,
  'tools and agent': /Tools Available/,
  'client of MCP': /notifications\/tools\/list_changed/,
  'library for the terminal': /tui\.editor\.cursorUp/,
} as const

type Part = keyof typeof marks

async function loadedBy(
  one: Stage,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ names: string[]; bytes: number; parts: Part[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'loader-coverage-'))
  try {
    const { code, stderr } = await one.runBuilt(words, {
      environment: { ...environment, NODE_V8_COVERAGE: folder },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const files = readdirSync(folder).flatMap((name) => scriptsIn(readFileSync(join(folder, name), 'utf8')))
    const names = [...new Set(files)].filter((file) => dirname(file) === dist).map((file) => basename(file))
    const texts = names.map((name) => readFileSync(join(dist, name), 'utf8'))
    const parts = Object.entries(marks).filter(([, mark]) => texts.some((text) => mark.test(text)))
    return { names, bytes: texts.join('').length, parts: parts.map(([part]) => part as Part) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What the command can load. A build that runs at the same time may have more in its folder for a while. */
function chunksOfBundle(): readonly string[] {
  const found = new Set(['loader.js'])
  for (const name of found) {
    const text = readFileSync(join(dist, name), 'utf8')
    for (const [, chunk = ''] of text.matchAll(/["']\.\/([\w-]+\.js)["']/g)) {
      // The example of the demo has imports of its own in a text.
      if (existsSync(join(dist, chunk))) found.add(chunk)
    }
  }
  return [...found]
}

const Coverage = z.object({ result: z.array(z.object({ url: z.string() })) })

function scriptsIn(report: string): string[] {
  const { result } = Coverage.parse(JSON.parse(report))
  return result.flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))
}

describe('what is loaded', () => {
  const loads = [
    [['--version'], [], 8, 1],
    [['--help'], [], 44, 3],
    [['-p', 'Hello!'], ['zod', 'decisions', 'tools and agent'], 1_425, 18],
    [['help', 'sessions'], [], 54, 4],
    [['sessions'], ['zod'], 210, 7],
    [['completion', 'bash'], [], 54, 4],
  ] as const
  test.for(sample(loads, { quick: 3 }))('%j loads %j, and at most %i KiB in %i files', async (load) => {
    const [words, parts, kilobytes, files] = load
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    const loaded = await loadedBy(one, words)
    console.log(
      `loader ${words.join(' ')}: ${Math.round(loaded.bytes / 1024)} KiB in ${loaded.names.length} chunks: ${loaded.names.join(', ')}`,
    )
    expect(loaded.parts).toEqual(parts)
    expect(loaded.bytes / 1024).toBeLessThan(kilobytes)
    expect(loaded.names.length).toBeLessThanOrEqual(files)
  })

  test('what the libraries of providers share is there once', () => {
    const chunks = chunksOfBundle().filter((name) =>
      marks['libraries of providers'].test(readFileSync(join(dist, name), 'utf8')),
    )
    expect(chunks).toHaveLength(1)
  })
})

const textOf = (name: string) => readFileSync(join(dist, name), 'utf8')

/** What only the code of one provider has in it. */
const providerMarks = {
  anthropic: /anthropic\.messages/,
  google: /google\.generative-ai/,
  mistral: /mistral\.chat/,
  ollama: /keep_alive/,
  openai: /ai-sdk-openai\//,
  'openai-compatible': /ai-sdk-openai-compatible\//,
} as const

test.for(sample(Object.keys(providerMarks), { quick: 2 }))(
  'a run with %s loads the code of no other provider',
  async (api) => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    const plain = api === 'ollama' || api === 'anthropic' || api === 'google'
    const providers = {
      mine: { api, baseUrl: plain ? one.server.url : `${one.server.url}/v1`, apiKeyVariable: 'MINE' },
    }
    writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ providers }))
    const loaded = await loadedBy(one, ['-p', 'Hello!', '-m', 'mine/scripted'], { MINE: 'sk-mine-0123456789' })
    const texts = loaded.names.map((name) => readFileSync(join(dist, name), 'utf8'))
    const found = Object.entries(providerMarks).filter(([, mark]) => texts.some((text) => mark.test(text)))
    expect(found.map(([name]) => name)).toEqual([api])
  },
)

/** Node's modules that a run with this provider has loaded by the time of its first request. */
async function builtinsBeforeRequest(api: string): Promise<string[]> {
  await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
  const providers = { mine: { api, baseUrl: api === 'ollama' ? one.server.url : `${one.server.url}/v1` } }
  writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ providers }))
  const words = ['-p', 'Hello!', '-m', 'mine/scripted']
  await one.runBuilt(words)
  const report = join(one.config, 'loaded.json')
  // Once the server is known, the first request of the process is that to the model.
  const preload = `data:text/javascript,${encodeURIComponent(tellAtRequest)}`
  const environment = { NODE_OPTIONS: `--import="${preload}"`, REPORT: report }
  expect(await one.runBuilt(words, { environment })).toMatchObject({ code: 0, stderr: '' })
  return z.array(z.string()).parse(JSON.parse(readFileSync(report, 'utf8')))
}

const tellAtRequest = `
  import { subscribe } from 'node:diagnostics_channel'
  import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
  const report = process.env.REPORT
  subscribe('http.client.request.start', () => {
    if (!existsSync(report)) writeFileSync(report, JSON.stringify(process.moduleLoadList))
  })
`

test.for(['ollama', 'openai-compatible'])('%s: the first request goes out without the fetch of Node', async (api) => {
  const loaded = await builtinsBeforeRequest(api)
  expect(loaded).toContain('NativeModule _http_client')
  expect(loaded).not.toContain('NativeModule internal/deps/undici/undici')
})

test('an older Node says in one line which one is needed', () => {
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '22.18.0' } })`
  const { status, stdout, stderr } = spawnSync(loaderNode, ['--import', old, join(dist, 'loader.js'), '--version'], {
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: 'loader: 22.18.0 is too old: Loader needs Node 22.19 or newer. Get it from https://nodejs.org\n',
  })
})

test('what is started can be read by a Node that is much too old', () => {
  // Nothing of the last years: neither in the language nor at the top of the file.
  const text = readFileSync(join(dist, 'loader.js'), 'utf8')
  expect(text).not.toMatch(/\?\?=|\|\|=|\bawait import|^import\b[^(]*from/m)
})

test('the bundle is no larger than 3.62 MB, without the driver of databases and the list of prices', () => {
  const all = chunksOfBundle()
  // The driver of a database is loaded where sessions are kept in one, the list when an answer has a price.
  const apart = { 'database-store-': 140_000, 'price-list-': 500_000 }
  for (const [start, limit] of Object.entries(apart)) {
    const [chunk = '', ...others] = all.filter((name) => name.startsWith(start))
    expect(others).toEqual([])
    expect(statSync(join(dist, chunk)).size).toBeLessThan(limit)
  }
  // What talks to MCP servers is loaded by runs that have one.
  const [client = '', ...others] = all.filter((name) => marks['client of MCP'].test(textOf(name)))
  expect(others).toEqual([])
  expect(statSync(join(dist, client)).size).toBeLessThan(240_000)
  const chunks = all.filter((name) => name !== client && !Object.keys(apart).some((start) => name.startsWith(start)))
  const bytes = chunks.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0)
  console.log(`bundle: ${Math.round(bytes / 1024)} KiB in ${chunks.length} files`)
  expect(bytes).toBeLessThan(3.62e6)
  // The library for the terminal is loaded for a conversation alone, in one file with what draws with it.
  const terminal = all.filter((name) => marks['library for the terminal'].test(textOf(name)))
  expect(terminal).toHaveLength(1)
  expect(statSync(join(dist, terminal[0] ?? '')).size).toBeLessThan(195_000)
  const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
  expect(notices).toMatch(/^@earendil-works\/pi-tui \S+ \(MIT\)\n\n[^]*?Permission is hereby granted/m)
})

test('--version is that of package.json', async () => {
  await using one = await stage()
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')))
  expect(await one.runBuilt(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  expect(await one.runBuilt(['-v'])).toMatchObject({ stdout: `${version}\n` })
})

test('colours are there when they are asked for, and not in a pipe', async () => {
  await using one = await stage()
  const escape = '\u001b['
  const explained = async (environment: Readonly<Record<string, string>>, ...words: readonly string[]) =>
    (await one.run(['permissions', 'explain', 'ls', ...words], { environment: { NO_COLOR: '', ...environment } }))
      .stdout
  expect(await explained({})).not.toContain(escape)
  expect(await explained({}, '--color', 'always')).toContain(escape)
  expect(await explained({ FORCE_COLOR: '1' })).toContain(escape)
  expect(await explained({ FORCE_COLOR: '1', NO_COLOR: '1' })).not.toContain(escape)
})

describe('MCP servers', () => {
  const words = ['-p', 'Hello!', '--config', 'completionCheck=false']
  const bodies = ({ server }: Stage) => server.requests.map(({ request }) => JSON.stringify(request))

  test('cost a run without any nothing: it loads no more, and sends the same bytes', async () => {
    await using plain = await stage({ ...line('Here I am.'), repeat: 'any' })
    await using named = await stage({ ...line('Here I am.'), repeat: 'any' })
    const without = await loadedBy(plain, words)
    expect(without.parts).not.toContain('client of MCP')
    // A project that is not trusted has none either, and what reads its file is small.
    named.write('.mcp.json', '{ "mcpServers": { "x": { "command": "touch", "args": ["started"] } } }')
    const ended = await named.runBuilt(words)
    expect(ended.code).toBe(0)
    expect(existsSync(named.path('started'))).toBe(false)
    const placeless = (one: Stage) => bodies(one).map((body) => body.replaceAll(one.project, '/project'))
    expect(placeless(named)).toEqual(placeless(plain))
  })

  test('of the user load what talks to them', async () => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    const server = { command: 'node', args: ['-e', ''] }
    writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ mcpServers: { x: server } }))
    const ended = await one.runBuilt(words)
    expect(ended.stderr).toContain('MCP server x')
  })
})
