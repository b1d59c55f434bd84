// What a session costs over Anthropic's protocol with cache marks and without: the same 50 turns against the strict
// server, which plays the cache by the published rules and counts the tokens, at the prices of genai-prices.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calcPrice } from '@pydantic/genai-prices'
import { atMost, shown } from '../store/figure.mjs'

const turns = 50
const models = ['claude-sonnet-5', 'claude-opus-4-8', 'claude-haiku-4-5']
/** In percent of the price without marks. */
const bar = 25

export async function figuresOfCost(folder) {
  const root = join(folder, 'project')
  mkdirSync(root, { recursive: true })
  for (const turn of numbers) writeFileSync(join(root, `note-${turn}.txt`), `This is about ${turn}. `.repeat(20))
  const figures = []
  for (const model of models) {
    const [marked, plain] = [await priceOf(model, root, 'automatic'), await priceOf(model, root, 'off')]
    figures.push(
      shown(`${turns} turns over ${model}, without marks`, plain.price * 100, 'US cents'),
      shown(`${turns} turns over ${model}, with marks`, marked.price * 100, 'US cents'),
      shown(`… of its tokens that were read from the cache`, (100 * marked.read) / marked.input, '%'),
      atMost(`${turns} turns over ${model}: with marks to without`, (100 * marked.price) / plain.price, '%', bar),
    )
  }
  return figures
}

const numbers = Array.from({ length: turns }, (_, at) => at + 1)

/** The tokens and the price of all requests, as the server counted them. */
async function priceOf(model, root, promptCache) {
  const { Agent } = await import('@loader/agent')
  const { localOptions } = await import('@loader/agent/local')
  const { anthropic } = await import('@loader/backends')
  const { MemoryStore } = await import('@loader/session-core')
  const { wireServer } = await import('@loader/test-harness/wire')
  const server = await wireServer({ usage: 'counted', lines: numbers.flatMap(linesOf) })
  const backend = anthropic({ model, promptCache, baseUrl: server.url, apiKey: 'sk-bench-0123456789', variables: {} })
  const config = { permissionMode: 'allow', instructions: false, checks: [] }
  const options = localOptions({ backend, projectRoot: root, store: new MemoryStore(), walls: { use: 'off' }, config })
  const tools = options.tools.filter(({ name }) => name !== 'finish')
  const total = { price: 0, input: 0, read: 0 }
  await using agent = new Agent({ ...options, tools })
  const onEvent = ({ type, usage }) => {
    if (type !== 'model.answered') return
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage
    const tokens = { input_tokens: inputTokens, output_tokens: outputTokens }
    const cached = { cache_read_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens }
    total.price += calcPrice({ ...tokens, ...cached }, model, { providerId: 'anthropic' }).total_price
    total.input += inputTokens
    total.read += cacheReadTokens
  }
  for (const turn of numbers) await agent.run(taskOf(turn), { onEvent })
  server.assertDone()
  await server.close()
  return total
}

const changes = (turn) => turn % 3 === 0

function taskOf(turn) {
  return `Read note-${turn}.txt${changes(turn) ? ` and write its number into out-${turn}.txt` : ''}`
}

/** A turn that looks at a file and, each third time, changes one. */
function linesOf(turn) {
  const look = { name: 'read', input: { file_path: `note-${turn}.txt` } }
  const change = { name: 'write', input: { file_path: `out-${turn}.txt`, content: `${turn}\n` } }
  return [
    { text: `I look at note-${turn}.txt.`, calls: [look] },
    ...(changes(turn) ? [{ text: 'I write it down.', calls: [change] }] : []),
    { text: `note-${turn}.txt is about ${turn}.` },
  ]
}
