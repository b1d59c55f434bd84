import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { type Backend, BackendError } from '@loader/session-core'
import { type WireLine, wireServer } from '@loader/test-harness/wire'
import { describe, expect, test } from 'vitest'
import { anthropic, ollama, openai, openaiCompatible } from '../src/index.ts'
import { loopback } from './loopback.ts'
import { hear, rejection, request } from './requests.ts'

const apiKey = 'sk-test-0123456789abcdef'

/** A proxy that hands requests on to one server, whatever host they name, and keeps what it was asked for. */
async function proxyTo(target: string) {
  const asked: string[] = []
  const server = createServer((request_, response) => {
    asked.push(request_.url ?? '')
    const { pathname } = new URL(request_.url ?? '')
    const chunks: Buffer[] = []
    request_.on('data', (chunk: Buffer) => chunks.push(chunk))
    request_.on('end', () => {
      const headers = { 'content-type': 'application/json', authorization: request_.headers.authorization ?? '' }
      void fetch(`${target}${pathname}`, { method: 'POST', headers, body: Buffer.concat(chunks) })
        .then(async (answer) => {
          response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
          response.end(await answer.text())
        })
        .catch((error: unknown) => response.destroy(error as Error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Hands connections on, and counts them. */
async function relayTo(target: string) {
  const { port } = new URL(target)
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createTcpServer((client) => {
    connections += 1
    const upstream = connect(Number(port), '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a proxy that the environment names is used', async () => {
  await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
  await using proxy = await proxyTo(server.url)
  const variables = { HTTP_PROXY: proxy.url }
  const backend = openaiCompatible({ baseUrl: 'http://models.test/v1', model: 'm', variables })
  expect((await hear(backend.stream(request()))).text).toBe('Hi.')
  expect(proxy.asked).toEqual(['http://models.test/v1/chat/completions'])
})

test('a proxy is not used for what runs on this machine, or is excepted', async () => {
  await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
  await using proxy = await proxyTo(server.url)
  const local = openaiCompatible({ baseUrl: `${server.url}/v1`, model: 'm', variables: { HTTP_PROXY: proxy.url } })
  expect((await hear(local.stream(request()))).text).toBe('Hi.')
  const variables = { HTTP_PROXY: proxy.url, NO_PROXY: 'models.invalid' }
  const excepted = openaiCompatible({ baseUrl: 'http://models.invalid/v1', model: 'm', variables })
  expect(await rejection(hear(excepted.stream(request())))).toMatchObject({ failure: { kind: 'connection' } })
  expect(proxy.asked).toEqual([])
})

test('a redirect is not followed: the key would go where nobody sent it', async () => {
  await using thief = await loopback((_asked, response) => void response.end('{}'))
  await using server = await loopback((_asked, response) => {
    response.writeHead(307, { location: `${thief.url}/v1/chat/completions` }).end()
  })
  const backend = openaiCompatible({ baseUrl: `${server.url}/v1`, model: 'm', apiKey, variables: {} })
  expect(await rejection(hear(backend.stream(request())))).toBeInstanceOf(BackendError)
  expect(thief.asked).toEqual([])
})

test('a fetch of the caller is used instead, under the same guard', async () => {
  await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
  const asked: string[] = []
  const counting: typeof fetch = (input, init) => {
    asked.push(typeof input === 'string' ? input : 'another')
    return fetch(input, init)
  }
  const options = { baseUrl: `${server.url}/v1`, model: 'm', variables: {}, fetch: counting }
  expect((await hear(openaiCompatible(options).stream(request()))).text).toBe('Hi.')
  expect(asked).toEqual([`${server.url}/v1/chat/completions`])

  const silent: typeof fetch = () => new Promise(() => {})
  const patient = openaiCompatible({ ...options, fetch: silent, timeOuts: { firstByteMs: 20 } })
  expect(await rejection(hear(patient.stream(request())))).toMatchObject({ failure: { kind: 'connection' } })
})

test('headers of the caller go with every request', async () => {
  await using server = await loopback((_asked, response) => void response.writeHead(500).end())
  const headers = { 'x-team': 'blue' }
  const backend = openaiCompatible({ baseUrl: `${server.url}/v1`, model: 'm', headers, variables: {} })
  await rejection(hear(backend.stream(request())))
  expect(server.asked[0]?.headers).toMatchObject({ 'x-team': 'blue' })
})

describe('connections are used again', () => {
  const connections = async (backendAt: (url: string) => Backend, line: WireLine) => {
    await using server = await wireServer({ lines: [{ ...line, repeat: 'any' }] })
    await using relay = await relayTo(server.url)
    const backend = backendAt(relay.url)
    for (let round = 0; round < 4; round += 1) await hear(backend.stream(request())).catch(() => {})
    expect(server.requests.filter(({ number }) => number !== undefined)).toHaveLength(4)
    return relay.connections
  }
  const providers: readonly [string, (url: string) => Backend][] = [
    ['openaiCompatible', (url) => openaiCompatible({ baseUrl: `${url}/v1`, model: 'm', variables: {} })],
    ['openai', (url) => openai({ baseUrl: `${url}/v1`, model: 'm', api: 'chat', apiKey, variables: {} })],
    ['anthropic', (url) => anthropic({ baseUrl: url, model: 'm', apiKey, variables: {} })],
    // It asks about the model and what is loaded at once.
    ['ollama', (url) => ollama({ baseUrl: url, model: 'm', variables: {} })],
  ]

  test.each(providers)('after an answer of %s', async (name, backendAt) => {
    expect(await connections(backendAt, { text: 'Hi.' })).toBeLessThanOrEqual(name === 'ollama' ? 2 : 1)
  })

  test.each(providers)('after a failure of %s', async (name, backendAt) => {
    const fault = { type: 'throw', kind: 'overloaded', after: 0 } as const
    expect(await connections(backendAt, { fault })).toBeLessThanOrEqual(name === 'ollama' ? 2 : 1)
  })
})
