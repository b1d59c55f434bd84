import { readdirSync, readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { line } from '@loader/test-harness'
import { UsageOutput } from '@loader/readings'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { ResultLine, StreamJsonLine } from '../../src/schemas/runs.ts'
import { jsonLines, type Stage, stage } from './stage/stage.ts'

const usage = { inputTokens: 10_000, outputTokens: 1000, cacheReadTokens: 4000, reasoningTokens: 600 }
const say = (text: string) => ({ ...line(text), usage })
/** By the prices of gpt-5: 6000 read anew, 4000 from a cache, 1000 said. */
const usd = (6000 * 1.25 + 4000 * 0.125 + 1000 * 10) / 1_000_000

const cloud = (one: Stage) => ({
  environment: { OPENAI_BASE_URL: `${one.server.url}/v1`, OPENAI_API_KEY: 'sk-test-0123456789' },
})
const gpt = ['-m', 'openai/gpt-5']

async function result(one: Stage, words: readonly string[]): Promise<ReturnType<typeof ResultLine.parse>> {
  const { stdout, stderr } = await one.run([...words, '--output-format', 'json'], cloud(one))
  expect(stderr).toBe('')
  return ResultLine.parse(JSON.parse(stdout))
}

describe('the cost of a run', () => {
  test('is in json and stream-json, with cached and thinking tokens', async () => {
    await using one = await stage(say('Hello.'), say('Hello again.'))
    const { total_cost_usd: cost, modelUsage, loader } = await result(one, ['-p', 'Hello!', ...gpt])
    expect(cost).toBeCloseTo(usd, 9)
    expect(Object.values(modelUsage)).toMatchObject([{ costUSD: cost, cacheReadInputTokens: 4000 }])
    expect(loader).toMatchObject({ costKnown: true, usage: { reasoningTokens: 600, cacheReadTokens: 4000 } })
    const words = ['-p', 'Hello!', '-c', '--output-format', 'stream-json']
    const last = StreamJsonLine.parse(jsonLines((await one.run(words, cloud(one))).stdout).at(-1))
    expect(last).toMatchObject({
      total_cost_usd: cost,
      loader: { session: { cost: { usd: expect.closeTo(2 * usd, 8) } } },
    })
  })

  test('over several models is told by model; where one is not known, the sum is a lower bound', async () => {
    await using one = await stage(say('One.'), say('Two.'), say('Three.'))
    await result(one, ['-p', 'Hello!', ...gpt])
    const unknown = await result(one, ['-p', 'Thanks!', '-c', '-m', 'openai/gpt-unheard-of'])
    expect(unknown).toMatchObject({ total_cost_usd: null, loader: { costKnown: false } })
    const local = await result(one, ['-p', 'Hi!', '-c', '-m', 'ollama/scripted'])
    expect(local).toMatchObject({ total_cost_usd: 0, loader: { costKnown: true } })
    const { out, json } = await usageOf(one)
    expect(out).toMatch(/1 Hello!.* 40%.* 600 +\$0\.0180 /)
    expect(out).toMatch(/2 Thanks!.* \? /)
    expect(out).toMatch(/3 Hi!.* local /)
    expect(out).toMatch(/\nall .*≥ \$0\.0180/)
    expect(json.total.cost).toMatchObject({ known: 2, local: 1 })
    expect(json.models.map(({ model }) => model).toSorted()).toEqual([
      'ollama/scripted',
      'openai/gpt-5',
      'openai/gpt-unheard-of',
    ])
  })

  test('of a fork is that of its own requests, and an answer that was cut off makes it a lower bound', async () => {
    const cut = { text: 'Half an answer', chunks: 'word', fault: { type: 'cut', after: 1 } } as const
    await using one = await stage(say('One.'), cut, say('Two.'))
    await result(one, ['-p', 'Hello!', ...gpt])
    const forked = await result(one, ['-p', 'Thanks!', '-c', '--fork'])
    expect(forked.total_cost_usd).toBeCloseTo(usd, 9)
    expect(forked.loader.costKnown).toBe(false)
    const { json } = await usageOf(one)
    expect(json.total.cost?.usd).toBeCloseTo(usd, 9)
  })

  test('follows the prices of the settings', async () => {
    await using one = await stage(say('One.'))
    const prices = { 'openai/gpt-unheard-of': { input: 2, output: 4, cacheRead: 1 } }
    writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ prices }))
    const { total_cost_usd: cost } = await result(one, ['-p', 'Hello!', '-m', 'openai/gpt-unheard-of'])
    expect(cost).toBeCloseTo((6000 * 2 + 4000 + 1000 * 4) / 1_000_000, 9)
  })
})

async function usageOf(one: Stage) {
  const { stdout: out } = await one.run(['usage'])
  const { stdout } = await one.run(['usage', '--json'])
  return { out, json: UsageOutput.parse(JSON.parse(stdout)) }
}

describe('--max-budget-usd', () => {
  test('ends with 7 before the request that could exceed it, and the session goes on with more', async () => {
    await using one = await stage(say('One.'), say('Two.'))
    await result(one, ['-p', 'Hello!', ...gpt])
    const ended = await result(one, ['-p', 'Thanks!', '-c', '--max-budget-usd', '0.02'])
    expect(ended).toMatchObject({
      subtype: 'error_max_budget_usd',
      total_cost_usd: 0,
      loader: { exitCode: 7, turnFinished: 'cost_budget_exhausted' },
    })
    expect(ended.errors?.join()).toContain('--max-budget-usd')
    // The budget stays with the session, and a larger one takes its place.
    expect(await result(one, ['-p', 'Hi!', '-c'])).toMatchObject({ subtype: 'error_max_budget_usd' })
    expect(await result(one, ['-p', 'Hi!', '-c', '--max-budget-usd', '1'])).toMatchObject({ result: 'Two.' })
    one.server.assertDone()
  })

  test.for(['-1', 'much', '', 'NaN', 'Infinity'])('%j is no amount', async (amount) => {
    await using one = await stage()
    const { code, stderr } = await one.run(['-p', 'Hello!', `--max-budget-usd=${amount}`])
    expect(code).toBe(2)
    expect(stderr).toContain('--max-budget-usd')
  })

  test('is refused with a model of unknown price, and says what to do', async () => {
    await using one = await stage(say('One.'))
    const words = ['-p', 'Hello!', '-m', 'openai/gpt-unheard-of', '--max-budget-usd', '1']
    const { code, stderr } = await one.run(words, cloud(one))
    expect(code).toBe(2)
    expect(stderr).toMatch(/price of openai\/gpt-unheard-of is not known[^]*"prices"/)
    expect(await one.sessions()).toEqual([])
    const [, advised = ''] = /without knowing what it costs: (.*)\.\n$/.exec(stderr) ?? []
    writeFileSync(join(one.config, 'settings.json'), `{ ${advised} }`)
    const allowed = await one.run(words, cloud(one))
    expect(allowed).toMatchObject({ code: 0, stdout: 'One.\n' })
  })
})

test('--fallback-model takes over, the waits are told, and the next run begins with the first again', async () => {
  const busy = { fault: { type: 'throw', kind: 'overloaded', retryAfterMs: 20 }, repeat: 2 } as const
  await using one = await stage(busy, say('Here.'), say('There.'))
  const words = ['-p', 'Hello!', ...gpt, '--fallback-model', 'ollama/scripted', '--config', 'fallbackAfterMs=30']
  const { stdout } = await one.run([...words, '--output-format', 'stream-json'], cloud(one))
  const lines = jsonLines(stdout).map((each) => StreamJsonLine.parse(each))
  const [retry] = lines.filter((each) => 'subtype' in each && each.subtype === 'api_retry')
  expect(retry).toMatchObject({ loader: { until: expect.any(String), why: expect.any(String) } })
  // Counted from the refusal: a machine with much to do has used up some of it by then.
  expect(retry).toSatisfy(({ retry_delay_ms: delay }: { retry_delay_ms: number }) => delay >= 0 && delay <= 20)
  expect(lines.at(-1)).toMatchObject({ result: 'Here.', modelUsage: { 'ollama/scripted': { costUSD: 0 } } })
  const next = await result(one, ['-p', 'Hi!', '-c'])
  expect(Object.keys(next.modelUsage)).toEqual(['openai/gpt-5'])
})

test.runIf(fromCi)('the list of prices is loaded for an answer that has a price, and not before', async () => {
  const loaded = async (one: Stage, words: readonly string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'loader-coverage-'))
    const { environment } = cloud(one)
    await one.runBuilt(words, { environment: { ...environment, NODE_V8_COVERAGE: folder } })
    const reports = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    rmSync(folder, { recursive: true })
    return reports.some((report) => /price-list-[\w-]+\.js/.test(report))
  }
  const refused = { fault: { type: 'throw', kind: 'bad_request' } } as const
  await using one = await stage(say('One.'), say('Two.'), refused)
  expect(await loaded(one, ['-p', 'Hello!', '-m', 'ollama/scripted'])).toBe(false)
  expect(await loaded(one, ['-p', 'Hello!', ...gpt])).toBe(true)
  expect(await loaded(one, ['-p', 'Hello!', ...gpt])).toBe(false)
})
