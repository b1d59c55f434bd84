import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, type LanguageModel, type ModelMessage, ToolLoopAgent, tool } from 'ai'
import { pixel, read, readSchema, type Talking } from './talker.ts'

const apiKey = 'sk-any'

interface Provider {
  readonly name: string
  readonly model: (url: string) => LanguageModel
  readonly options?: NonNullable<ConstructorParameters<typeof ToolLoopAgent>[0]['providerOptions']>
}

const providers: readonly Provider[] = [
  {
    name: '@ai-sdk/openai-compatible',
    model: (url) => createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, includeUsage: true })('m'),
  },
  { name: '@ai-sdk/openai, chat', model: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('m') },
  {
    name: '@ai-sdk/openai, responses, which keep the history',
    model: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('gpt-5'),
  },
  {
    name: '@ai-sdk/openai, responses, which keep nothing',
    model: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('gpt-5'),
    options: { openai: { store: false } },
  },
  {
    name: '@ai-sdk/anthropic',
    model: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey })('m'),
    options: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
  },
  { name: '@ai-sdk/google', model: (url) => createGoogle({ baseURL: `${url}/v1beta`, apiKey })('gemini-3-pro') },
]

/** The tool loop of `ai` over each of its providers. */
export const aiSdkTalkers: readonly Talking[] = providers.map(({ name, model, options }) => ({
  name,
  begin: (url) => {
    const inputSchema = jsonSchema<{ path: string }>(readSchema)
    const tools = { read: tool({ description: 'Reads a file', inputSchema, execute: async ({ path }) => read(path) }) }
    const agent = new ToolLoopAgent({ model: model(url), tools, ...(options && { providerOptions: options }) })
    const messages: ModelMessage[] = []
    return async ({ text, image, mode }) => {
      const shown = { type: 'file' as const, data: pixel, mediaType: 'image/png' }
      messages.push({ role: 'user', content: [{ type: 'text', text }, ...(image ? [shown] : [])] })
      if (mode === 'whole') {
        const result = await agent.generate({ messages })
        messages.push(...result.responseMessages)
        return result.text
      }
      const result = await agent.stream({ messages })
      const said = await result.text
      messages.push(...(await result.responseMessages))
      return said
    }
  },
}))
