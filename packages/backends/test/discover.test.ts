import { describe, expect, test } from 'vitest'
import { discover, type DiscoveredServer, type ServerPlace } from '../src/index.ts'
import { deserted, jsonServer, type Loopback, loopback } from './loopback.ts'

const shown: { readonly [name: string]: object } = {
  'qwen3:8b': { capabilities: ['completion', 'tools', 'thinking'], model_info: { 'qwen3.context_length': 40_960 } },
  'tiny:1b': { capabilities: ['completion'], model_info: { 'llama.context_length': 2048 } },
}

function ollamaServer(): Promise<Loopback> {
  return jsonServer({
    '/api/tags': { models: [{ name: 'qwen3:8b' }, { name: 'tiny:1b' }] },
    '/api/ps': { models: [{ name: 'qwen3:8b', context_length: 4096 }] },
    '/api/show': ({ model }: { readonly model: string }) => shown[model],
  })
}

function llamaCppServer(): Promise<Loopback> {
  return jsonServer({
    '/props': { default_generation_settings: { n_ctx: 32_768 }, chat_template_caps: { supports_tools: true } },
    '/v1/models': { data: [{ id: 'gemma', meta: { n_ctx_train: 131_072 } }] },
  })
}

describe('a server is found with its models', () => {
  test('Ollama', async () => {
    await using server = await ollamaServer()
    const [found] = await discover({ servers: [{ kind: 'ollama', origin: server.url }], timeoutMs: 60_000 })
    expect(found).toMatchObject({ kind: 'ollama', title: 'Ollama', origin: server.url })
    expect(found?.models).toEqual([
      {
        id: 'qwen3:8b',
        name: 'ollama/qwen3:8b',
        loaded: true,
        contextWindow: 4096,
        largestWindow: 40_960,
        nativeTools: true,
        images: false,
        warnings: [expect.stringMatching(/4096 tokens is too small for an agent.*OLLAMA_CONTEXT_LENGTH/)],
      },
      {
        id: 'tiny:1b',
        name: 'ollama/tiny:1b',
        loaded: false,
        largestWindow: 2048,
        nativeTools: false,
        images: false,
        warnings: [expect.stringContaining('take another model'), expect.stringContaining('does not call tools')],
      },
    ])
  })

  test('llama.cpp', async () => {
    await using server = await llamaCppServer()
    const [found] = await discover({ servers: [{ kind: 'llamacpp', origin: server.url }], timeoutMs: 60_000 })
    expect(found?.models).toEqual([
      {
        id: 'gemma',
        name: 'llamacpp/gemma',
        loaded: true,
        contextWindow: 32_768,
        largestWindow: 131_072,
        nativeTools: true,
        warnings: [],
      },
    ])
  })

  test('LM Studio, without models that do not chat', async () => {
    await using server = await jsonServer({
      '/api/v0/models': {
        data: [
          { id: 'qwen', type: 'llm', state: 'loaded', loaded_context_length: 8192, max_context_length: 32_768 },
          { id: 'nomic', type: 'embeddings', state: 'not-loaded' },
        ],
      },
    })
    const [found] = await discover({ servers: [{ kind: 'lmstudio', origin: server.url }], timeoutMs: 60_000 })
    expect(found?.models).toMatchObject([
      { name: 'lmstudio/qwen', contextWindow: 8192, warnings: [expect.stringContaining('lms load')] },
    ])
  })

  test('vLLM', async () => {
    await using server = await jsonServer({ '/v1/models': { data: [{ id: 'a/b', max_model_len: 8192 }] } })
    const [found] = await discover({ servers: [{ kind: 'vllm', origin: server.url }], timeoutMs: 60_000 })
    expect(found?.models).toMatchObject([
      { name: 'vllm/a/b', contextWindow: 8192, warnings: [expect.stringContaining('--max-model-len')] },
    ])
  })
})

test('what runs at a port but is another kind of server is not taken for one', async () => {
  await using pages = await loopback((_asked, response) => void response.end('<html>Tomcat</html>'))
  await using vllm = await jsonServer({ '/v1/models': { data: [{ id: 'a', max_model_len: 8192 }] } })
  const servers = (['ollama', 'llamacpp', 'lmstudio', 'vllm'] as const).flatMap((kind) => [
    { kind, origin: pages.url },
    { kind, origin: vllm.url },
  ])
  const found = await discover({ servers, timeoutMs: 60_000 })
  expect(found.map(({ kind, origin }) => [kind, origin])).toEqual([['vllm', vllm.url]])
})

test('where nobody listens nothing is found, and nothing fails', async () => {
  const origin = await deserted()
  const servers = (['ollama', 'llamacpp', 'lmstudio', 'vllm'] as const).map((kind) => ({ kind, origin }))
  expect(await discover({ servers })).toEqual([])
})

test('ports that hang do not hold up what is found', async () => {
  await using hanging = await loopback(() => {})
  await using headers = await loopback((_asked, response) => response.writeHead(200).flushHeaders())
  await using living = await llamaCppServer()
  const servers = [
    { kind: 'ollama', origin: hanging.url },
    { kind: 'lmstudio', origin: headers.url },
    { kind: 'llamacpp', origin: living.url },
  ] as const
  const found = await discoverInTime(servers)
  expect(found.map(({ kind }) => kind)).toEqual(['llamacpp'])
})

test('models whose details come too late are listed without', async () => {
  await using server = await loopback(({ path }, response) => {
    if (path === '/api/show') return
    response.end(JSON.stringify({ models: path === '/api/tags' ? [{ name: 'qwen3:8b' }] : [] }))
  })
  const [found] = await discoverInTime([{ kind: 'ollama', origin: server.url }])
  expect(found?.models).toEqual([{ id: 'qwen3:8b', name: 'ollama/qwen3:8b', loaded: false, warnings: [] }])
})

test('looking can be given up', async () => {
  await using hanging = await loopback(() => {})
  const abort = new AbortController()
  const servers = [{ kind: 'ollama', origin: hanging.url }] as const
  const looking = discover({ servers, timeoutMs: 60_000, signal: abort.signal })
  abort.abort(new Error('enough'))
  await expect(looking).rejects.toThrow('enough')
})

test('without a place it looks at the usual ports of this machine, and where OLLAMA_HOST says', async () => {
  const asked = new Set<string>()
  const nobody: typeof fetch = (input) => {
    asked.add(new URL(input instanceof Request ? input.url : input).origin)
    return Promise.reject(new TypeError('fetch failed'))
  }
  await discover({ fetch: nobody, variables: { OLLAMA_HOST: 'models.test' } })
  expect([...asked].toSorted()).toEqual([
    'http://127.0.0.1:1234',
    'http://127.0.0.1:8000',
    'http://127.0.0.1:8080',
    'http://models.test:11434',
  ])
})

/** With a time limit that something is found in; how much this machine needs for that is not known before. */
async function discoverInTime(servers: readonly ServerPlace[]): Promise<DiscoveredServer[]> {
  for (let timeoutMs = 300; ; timeoutMs *= 3) {
    const found = await discover({ servers, timeoutMs })
    if (found.length > 0) return found
  }
}
