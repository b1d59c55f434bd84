import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Backend, Message, ModelRequest } from '@loader/session-core'
import { wireServer } from '@loader/test-harness/wire'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { anthropic, fromLanguageModel, google, ollama, openai, openaiCompatible } from '../src/index.ts'
import { failedParses } from './failed-parses.ts'
import { assistant, hear, request, result, user } from './requests.ts'

const connection = { apiKey: 'sk-test-0123456789abcdef', variables: {} }

const providers: readonly { readonly name: string; readonly at: (url: string) => Backend }[] = [
  { name: 'openaiCompatible', at: (url) => openaiCompatible({ baseUrl: `${url}/v1`, model: 'm', ...connection }) },
  { name: 'openai', at: (url) => openai({ baseUrl: `${url}/v1`, model: 'm', api: 'chat', ...connection }) },
  {
    name: 'anthropic',
    at: (url) => anthropic({ baseUrl: `${url}/v1`, model: 'm', promptCache: 'off', ...connection }),
  },
  { name: 'openai, responses', at: (url) => openai({ baseUrl: `${url}/v1`, model: 'gpt-5', ...connection }) },
  { name: 'google', at: (url) => google({ baseUrl: url, model: 'gemini-3-pro', ...connection }) },
  { name: 'ollama', at: (url) => ollama({ baseUrl: url, model: 'm', variables: {} }) },
]

/** A message that counts how often its content is looked at. */
function counted(message: Message, look: () => void): Message {
  const { content, ...rest } = message
  return Object.defineProperty({ ...rest }, 'content', {
    enumerable: true,
    get() {
      look()
      return content
    },
  }) as Message
}

/** What the window holds after this many turns, each with a call. */
function turn(number: number): Message[] {
  const call = { id: `own_${number}`, name: 'write', input: { path: `${number}.txt` }, providerId: `call_${number}` }
  return [
    assistant(`r_${number}`, { type: 'text', text: `I write ${number}.` }, { type: 'call', call }),
    result(`own_${number}`, `Wrote ${number}.txt.`),
  ]
}

/** The messages as the body of the latest request has them. */
function sentBy(server: Awaited<ReturnType<typeof wireServer>>): readonly unknown[] {
  const list = z.array(z.unknown()).optional()
  const body = z.object({ messages: list, input: list, contents: list }).parse(server.requests.at(-1)?.body)
  return body.messages ?? body.input ?? body.contents ?? []
}

describe.each(providers)('$name', ({ at }) => {
  test('looks at each message a few times, however many requests it goes with, and sends the same words each time', async () => {
    await using server = await wireServer({ lines: [{ text: 'Good.', repeat: 'any' }] })
    const backend = at(server.url)
    const turns = 40
    let looks = 0
    const window = [counted(user('Write them.'), () => (looks += 1))]
    const prompts: string[] = []
    for (let number = 1; number <= turns; number += 1) {
      window.push(...turn(number).map((message) => counted(message, () => (looks += 1))))
      await hear(backend.stream(request({ messages: [...window] })))
      prompts.push(JSON.stringify(sentBy(server)))
    }
    expect(looks).toBeLessThan(window.length * 20)
    for (const [index, prompt] of prompts.slice(1).entries()) {
      const before = prompts[index] ?? ''
      expect(prompt.startsWith(before.slice(0, -1))).toBe(true)
    }
    const fresh = at(server.url)
    await hear(fresh.stream(request({ messages: window })))
    expect(JSON.stringify(sentBy(server))).toBe(prompts.at(-1))
  })

  test('a window that changed is said as it is now', async () => {
    await using server = await wireServer({ lines: [{ text: 'Good.', repeat: 'any' }] })
    const backend = at(server.url)
    const first = user('Write them.')
    const [one, two, three] = [turn(1), turn(2), turn(3)]
    const summary = user('They were written.')
    const [answer] = two
    const noTools = { purpose: 'summary', tools: [] } as const
    const windows: readonly (Partial<ModelRequest> & Pick<ModelRequest, 'messages'>)[] = [
      { messages: [first, ...one, ...two] },
      // Gone back to before the second turn, then on another way.
      { messages: [first, ...one] },
      { messages: [first, ...one, ...three] },
      // Folded into a summary.
      { messages: [summary, ...three] },
      // As before, of another session, and without tools in between.
      { messages: [first, ...one, ...three], ...noTools },
      { messages: [user('Another.'), ...two] },
      { messages: [first, ...one, ...three] },
      // The same answer, with other results.
      { messages: [first, answer as Message, result('own_2', 'It failed.', 'failed')] },
    ]
    for (const window of windows) {
      await hear(backend.stream(request(window)))
      const said = sentBy(server)
      await hear(at(server.url).stream(request(window)))
      expect(said).toEqual(sentBy(server))
    }
  })
})

describe('a model of the AI SDK', () => {
  const stream = () =>
    new ReadableStream({
      start(controller) {
        const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
        controller.enqueue({ type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } })
        controller.close()
      },
    })
  const modelThat = (change: (options: LanguageModelV4CallOptions) => void): LanguageModelV4 => ({
    provider: 'acme.chat',
    modelId: 'm1',
    supportedUrls: {},
    specificationVersion: 'v4',
    doGenerate: () => Promise.reject(new Error('Only streams are used.')),
    doStream: async (options) => {
      change(options)
      return { stream: stream() }
    },
  })

  test('that changes what it is asked, as a middleware may, finds the next request unchanged', async () => {
    const asked: string[] = []
    const backend = fromLanguageModel(
      modelThat(({ prompt }) => {
        asked.push(JSON.stringify(prompt))
        for (const message of prompt) {
          if (message.role === 'system') message.content = 'Changed.'
          else message.content.splice(0, 1)
        }
        prompt.length = 0
      }),
    )
    const messages = [user('Write them.'), ...turn(1)]
    await hear(backend.stream(request({ messages })))
    await hear(backend.stream(request({ messages })))
    expect(asked[1]).toBe(asked[0])
  })

  test('is asked without a parse that fails', async () => {
    const metadata = { providerMetadata: { anthropic: { signature: 'abc' } } }
    const thought = assistant('r_0', { type: 'reasoning', text: 'Hm.', ...metadata }, { type: 'text', text: 'Yes.' })
    const window = request({ messages: [user('Go.'), thought, ...turn(1)] })
    expect(await failedParses(() => hear(fromLanguageModel(modelThat(() => {})).stream(window)))).toBe(0)
    // It counts what fails.
    expect(await failedParses(async () => z.string().safeParse(1))).toBe(1)
  })
})
