import Anthropic from '@anthropic-ai/sdk'
import { outcomeOf, pixel, readSchema, type Said, type Talking } from './talker.ts'

const clientOf = (baseURL: string) => new Anthropic({ baseURL, apiKey: 'sk-any' })
const settings = { model: 'm', max_tokens: 4096, thinking: { type: 'enabled' as const, budget_tokens: 1024 } }

const contentOf = ({ text, image }: Said) => {
  const said = { type: 'text' as const, text }
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: pixel }
  return image ? [said, { type: 'image' as const, source }] : [said]
}

const messages: Talking = {
  name: 'the client of Anthropic',
  begin: (url) => {
    const client = clientOf(url)
    const history: Anthropic.MessageParam[] = []
    const tools = [{ name: 'read', input_schema: readSchema }]
    return async (said) => {
      history.push({ role: 'user', content: contentOf(said) })
      for (;;) {
        const asked = { ...settings, messages: history, tools }
        const message =
          said.mode === 'stream'
            ? await client.messages.stream(asked).finalMessage()
            : await client.messages.create(asked)
        history.push({ role: 'assistant', content: message.content })
        const calls = message.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
        if (calls.length === 0) return textOf(message.content)
        const content = calls.map(({ id, input }) => {
          const { text, isError } = outcomeOf((input as { path: unknown }).path)
          return { type: 'tool_result' as const, tool_use_id: id, content: text, is_error: isError }
        })
        history.push({ role: 'user', content })
      }
    }
  },
}

const runner: Talking = {
  name: 'the client of Anthropic, with its tool runner',
  begin: (url) => {
    const client = clientOf(url)
    let history: Anthropic.Beta.BetaMessageParam[] = []
    const tool = {
      type: 'custom' as const,
      name: 'read',
      input_schema: readSchema,
      parse: (input: unknown) => input,
      run: (input: any) => outcomeOf(input.path).text,
    }
    return async (said) => {
      const asked = { ...settings, messages: [...history, { role: 'user' as const, content: contentOf(said) }] }
      const running = client.beta.messages.toolRunner({ ...asked, tools: [tool], stream: said.mode === 'stream' })
      const last = await running.runUntilDone()
      history = [...running.params.messages]
      if (history.at(-1)?.role !== 'assistant') history.push({ role: 'assistant', content: last.content })
      return textOf(last.content)
    }
  },
}

function textOf(content: readonly { readonly type: string }[]): string {
  return content.flatMap((block) => (block.type === 'text' && 'text' in block ? [block.text] : [])).join('')
}

export const anthropicTalkers: readonly Talking[] = [messages, runner]
