import type { Backend } from '@loader/session-core'
import { ScriptedBackend } from '@loader/test-harness'
import { type WireLine, wireServer } from '@loader/test-harness/wire'
import {
  anthropic,
  fromLanguageModel,
  google,
  ollama,
  openai,
  openaiCompatible,
  toLanguageModel,
} from '../src/index.ts'
import { backendContract, type MakeBackend } from './backend-contract.ts'

const apiKey = 'sk-test-0123456789abcdef'
const variables = {}

function served(backendAt: (url: string) => Backend): MakeBackend {
  return async (line) => {
    const asked = latch()
    const boundary = (moment: 'before' | 'after') => (moment === 'before' ? asked.resolve() : undefined)
    const server = await wireServer({ lines: [line], boundary })
    const ends = () => server.requests.filter(({ number }) => number !== undefined).map(({ end }) => end)
    return {
      backend: backendAt(server.url),
      asked: asked.promise,
      ends: () => settled(ends),
      [Symbol.asyncDispose]: () => server.close(),
    }
  }
}

/** A promise that someone else settles. */
function latch(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let settle = () => {}
  const promise = new Promise<void>((resolve) => {
    settle = resolve
  })
  return { promise, resolve: () => settle() }
}

/** A server learns a moment later that its client has left. */
async function settled(ends: () => readonly string[]): Promise<readonly string[]> {
  while (ends().includes('open')) await new Promise((resolve) => setImmediate(resolve))
  return ends()
}

function scripted({ when: _when, repeat: _repeat, wire: _wire, ...line }: WireLine): ScriptedBackend {
  return new ScriptedBackend(line)
}

function inProcess(backendOf: (scripted: ScriptedBackend) => Backend): MakeBackend {
  return async (line) => {
    const backend = backendOf(scripted(line))
    const asked = new Promise<void>((resolve) => setImmediate(resolve))
    return { backend, asked, [Symbol.asyncDispose]: async () => {} }
  }
}

backendContract(
  'ScriptedBackend',
  inProcess((scripted) => scripted),
  { reasoning: 'told', usage: 'all', wire: 'none', cut: 'closes' },
)

backendContract(
  'a backend made of a language model that is made of a backend',
  inProcess((scripted) => fromLanguageModel(toLanguageModel(scripted))),
  { reasoning: 'told', usage: 'all', wire: 'none', cut: 'fails' },
)

backendContract(
  'openaiCompatible',
  served((url) => openaiCompatible({ baseUrl: `${url}/v1`, model: 'm', provider: 'local', variables })),
  { reasoning: 'told', usage: 'all', wire: 'http', cut: 'fails' },
)

backendContract(
  'openai, chat',
  served((url) => openai({ baseUrl: `${url}/v1`, model: 'm', api: 'chat', apiKey, variables })),
  { reasoning: 'silent', usage: 'all', wire: 'http', cut: 'fails' },
)

backendContract(
  'openai, responses',
  served((url) => openai({ baseUrl: `${url}/v1`, model: 'gpt-5', apiKey, variables })),
  { reasoning: 'told', usage: 'all', wire: 'http', cut: 'fails' },
)

backendContract(
  'google',
  served((url) => google({ baseUrl: url, model: 'gemini-3-pro', apiKey, variables })),
  { reasoning: 'told', usage: 'all', wire: 'http', cut: 'fails', arguments: 'object' },
)

backendContract(
  'anthropic',
  served((url) => anthropic({ baseUrl: `${url}/v1`, model: 'm', apiKey, variables })),
  { reasoning: 'told', usage: 'all', wire: 'http', cut: 'fails' },
)

backendContract(
  'ollama',
  served((url) => ollama({ baseUrl: url, model: 'm', variables })),
  { reasoning: 'told', usage: 'totals', wire: 'http', cut: 'fails', arguments: 'object' },
)
