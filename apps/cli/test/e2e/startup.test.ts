import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { line } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { builtLoader } from './stage/built-loader.ts'
import { type Stage, stage } from './stage/stage.ts'

const dist = dirname(builtLoader())

/** How a chunk is known that holds a part of the whole. */
const marks = {
  'libraries of providers': /vercel\.ai\.error/,
  zod: /ZodError/,
  decisions: /definition_of_done_requires_verification/,
  'tools and agent': /Tools Available/,
} as const

type Part = keyof typeof marks

async function loadedBy(
  one: Stage,
  words: readonly string[],
): Promise<{ names: string[]; bytes: number; parts: Part[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'loader-coverage-'))
  try {
    const { code, stderr } = await one.runBuilt(words, { environment: { NODE_V8_COVERAGE: folder } })
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
    [['--version'], [], 8],
    [['--help'], [], 40],
    [['-p', 'Hello!'], ['zod', 'decisions', 'tools and agent'], 1_310],
    [['help', 'sessions'], [], 40],
    [['sessions'], ['zod'], 187],
    [['completion', 'bash'], [], 40],
  ] as const
  test.for(sample(loads, { quick: 3 }))('%j loads %j, and at most %i KiB', async ([words, parts, kilobytes]) => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    const loaded = await loadedBy(one, words)
    console.log(
      `loader ${words.join(' ')}: ${Math.round(loaded.bytes / 1024)} KiB in ${loaded.names.length} chunks: ${loaded.names.join(', ')}`,
    )
    expect(loaded.parts).toEqual(parts)
    expect(loaded.bytes / 1024).toBeLessThan(kilobytes)
  })

  test('what the libraries of providers share is there once', () => {
    const chunks = chunksOfBundle().filter((name) =>
      marks['libraries of providers'].test(readFileSync(join(dist, name), 'utf8')),
    )
    expect(chunks).toHaveLength(1)
  })
})

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

test('the bundle is no larger than 2.62 MB, without the driver of databases', () => {
  const all = chunksOfBundle()
  // The driver of a database is loaded where sessions are kept in one.
  const driver = all.filter((name) => name.startsWith('database-store-'))
  expect(driver).toHaveLength(1)
  expect(statSync(join(dist, driver[0] ?? '')).size).toBeLessThan(125_000)
  const chunks = all.filter((name) => !driver.includes(name))
  const bytes = chunks.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0)
  console.log(`bundle: ${Math.round(bytes / 1024)} KiB in ${chunks.length} files`)
  expect(bytes).toBeLessThan(2.62e6)
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
