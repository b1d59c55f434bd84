// What a backend adds to the time until the first word of an answer, beside a bare fetch of the same bytes from the same
// server; what importing the package costs as long as no model is used; and what cache marks save.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { figuresOfCost } from './backends/cost.mjs'

const rounds = 400
/** Far below what anybody sees, and above what a busy machine makes of a tenth of it. */
const overheadBarMs = 2

export async function figures() {
  const server = new Worker(new URL(import.meta.url))
  const port = await new Promise((resolve) => server.once('message', resolve))
  try {
    return [...(await firstWords(`http://127.0.0.1:${port}`)), ...importing(), ...(await cost())]
  } finally {
    await server.terminate()
  }
}

async function cost() {
  const folder = mkdtempSync(join(tmpdir(), 'loader-bench-cost-'))
  try {
    return await figuresOfCost(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function firstWords(url) {
  const { anthropic, ollama, openai, openaiCompatible } = await import('@loader/backends')
  const options = { model: 'm', apiKey: 'sk-bench-0123456789', variables: {} }
  const chat = { ...options, baseUrl: `${url}/v1`, api: 'chat' }
  const pairs = [
    { name: 'openai-compatible', path: '/v1/chat/completions', backend: openaiCompatible(chat) },
    { name: 'openai, chat', path: '/v1/chat/completions', backend: openai(chat) },
    { name: 'openai, responses', path: '/v1/responses', backend: openai({ ...chat, api: 'responses' }) },
    { name: 'anthropic', path: '/v1/messages', backend: anthropic({ ...options, baseUrl: url }) },
    { name: 'ollama, native', path: '/api/chat', backend: ollama({ ...options, baseUrl: url }) },
  ]
  const samples = new Map(pairs.flatMap(({ name }) => [name, `fetch for ${name}`]).map((name) => [name, []]))
  // The first tenth warms up: packages are loaded, connections opened, functions compiled.
  for (let round = -rounds / 10; round < rounds; round++) {
    for (const { name, path, backend } of pairs) {
      const contenders = [
        [name, () => untilText(backend)],
        [`fetch for ${name}`, () => untilChunk(`${url}${path}`)],
      ]
      // The two take turns at being first.
      for (const [who, run] of round % 2 === 0 ? contenders : contenders.toReversed()) {
        const took = await run()
        if (round >= 0) samples.get(who).push(took)
      }
    }
  }
  return pairs.flatMap(({ name }) => {
    const [ours, bare] = [median(samples.get(name)), median(samples.get(`fetch for ${name}`))]
    const overhead = ours - bare
    return [
      { figure: `first word, bare fetch as ${name}`, value: bare, unit: 'ms', bar: null, ok: true },
      {
        figure: `first word, ${name}: more than bare fetch`,
        value: overhead,
        unit: 'ms',
        bar: overheadBarMs,
        ok: overhead <= overheadBarMs,
      },
    ]
  })
}

const message = { id: 'in_1', role: 'user', origin: 'input', at: '2026-01-01T00:00:00.000Z' }
const request = {
  requestId: 'req_1',
  purpose: 'answer',
  system: 'Be brief.',
  messages: [{ ...message, content: [{ type: 'text', text: 'Say something.' }] }],
  tools: [],
  maxOutputTokens: 100,
}

async function untilText(backend) {
  const start = performance.now()
  let took
  for await (const event of backend.stream(request)) {
    if (event.type === 'text') took ??= performance.now() - start
  }
  return took
}

async function untilChunk(url) {
  const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Say something.' }] })
  const start = performance.now()
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const reader = response.body.getReader()
  await reader.read()
  const took = performance.now() - start
  while (!(await reader.read()).done);
  return took
}

/** In processes of their own, because a module is loaded once, and behind the core, which every program has. */
function importing() {
  const samples = { ours: [], provider: [] }
  const loaded = new Set()
  for (let round = 0; round < 9; round++) {
    const ours = inChild('@loader/backends')
    for (const url of ours.loaded) loaded.add(url)
    samples.ours.push(ours.took)
    samples.provider.push(inChild('@ai-sdk/openai-compatible').took)
  }
  const [ours, provider] = [median(samples.ours), median(samples.provider)]
  return [
    {
      figure: 'modules of providers loaded by importing @loader/backends',
      value: loaded.size,
      unit: 'modules',
      bar: 0,
      ok: loaded.size === 0,
    },
    {
      figure: 'import of @ai-sdk/openai-compatible, behind the core',
      value: provider,
      unit: 'ms',
      bar: null,
      ok: true,
    },
    {
      figure: 'import of @loader/backends, behind the core, to that',
      value: ours / provider,
      unit: 'x',
      bar: 1,
      ok: ours / provider <= 1,
    },
  ]
}

const child = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    if (/node_modules\\/(@ai-sdk|ai|openai|@anthropic-ai|ollama)\\//.test(resolved.url)) loaded.push(resolved.url)
    return resolved
  },
})
await import('@loader/session-core')
const start = performance.now()
await import(process.argv[1])
console.log(JSON.stringify({ took: performance.now() - start, loaded }))
`

function inChild(name) {
  // Resolved from where the providers are installed.
  const cwd = fileURLToPath(new URL('../packages/backends/', import.meta.url))
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', child, name]
  return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' }))
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

const words = ['Hello', ' there', ',', ' you', '.']
const sse = (frames) => frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
const named = (frames) => frames.map((frame) => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`)
const lines = (frames) => frames.map((frame) => `${JSON.stringify(frame)}\n`)

/** What a server sends for each interface: the first chunk brings the first word. */
const answers = {
  '/v1/chat/completions': [
    ...sse(words.map((content) => ({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content } }] }))),
    ...sse([{ id: 'c', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }]),
    'data: [DONE]\n\n',
  ],
  '/v1/responses': [
    ...sse([
      { type: 'response.created', response: { id: 'r', created_at: 0, model: 'm' } },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } },
    ]),
    ...sse(words.map((delta) => ({ type: 'response.output_text.delta', output_index: 0, item_id: 'i', delta }))),
    ...sse([
      { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'i' } },
      { type: 'response.completed', response: { usage: { input_tokens: 1, output_tokens: 1 } } },
    ]),
  ],
  '/v1/messages': [
    ...named([
      {
        type: 'message_start',
        message: {
          id: 'a',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...words.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ]),
  ],
  '/api/chat': [
    ...lines(words.map((content) => ({ model: 'm', message: { role: 'assistant', content }, done: false }))),
    ...lines([{ model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' }]),
  ],
  '/api/show': [JSON.stringify({ capabilities: ['tools'], model_info: { 'x.context_length': 32_768 } })],
  '/api/ps': [JSON.stringify({ models: [{ name: 'm', context_length: 32_768 }] })],
}

function serve() {
  const server = createServer((asked, response) => {
    asked.resume().on('end', () => {
      response.writeHead(200, {
        'content-type': asked.url.startsWith('/v1') ? 'text/event-stream' : 'application/x-ndjson',
      })
      response.end((answers[asked.url] ?? []).join(''))
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
}

if (!isMainThread) serve()
