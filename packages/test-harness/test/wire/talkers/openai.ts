import OpenAI from 'openai'
import { toResponseInputItems } from 'openai/lib/responses/ResponseInputItems'
import { outcomeOf, pixel, readSchema, type Said, type Talking } from './talker.ts'

const clientOf = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-any' })
const model = 'm'
const image = `data:image/png;base64,${pixel}`
const pathIn = (text: string): unknown => JSON.parse(text).path

type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam

const chatMessage = ({ text, image: isShown }: Said): ChatMessage => ({
  role: 'user',
  content: isShown
    ? [
        { type: 'text', text },
        { type: 'image_url', image_url: { url: image } },
      ]
    : text,
})

const chat: Talking = {
  name: 'the client of OpenAI, chat completions',
  begin: (url) => {
    const client = clientOf(url)
    const messages: ChatMessage[] = []
    const tools = [{ type: 'function' as const, function: { name: 'read', parameters: readSchema } }]
    return async (said) => {
      messages.push(chatMessage(said))
      for (;;) {
        const asked = { model, messages, tools }
        const completion =
          said.mode === 'stream'
            ? await client.chat.completions.stream(asked).finalChatCompletion()
            : await client.chat.completions.create(asked)
        const message = completion.choices[0]?.message
        if (message === undefined) throw new Error('There is no answer.')
        const calls = (message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []))
        messages.push({ role: 'assistant', content: message.content, ...(calls.length > 0 && { tool_calls: calls }) })
        if (calls.length === 0) return message.content ?? ''
        for (const { id, function: called } of calls)
          messages.push({ role: 'tool', tool_call_id: id, content: outcomeOf(pathIn(called.arguments)).text })
      }
    }
  },
}

const runner: Talking = {
  name: 'the client of OpenAI, with its tool runner',
  begin: (url) => {
    const client = clientOf(url)
    let messages: ChatMessage[] = []
    const run = {
      type: 'function' as const,
      function: {
        name: 'read',
        description: 'Reads a file',
        parameters: readSchema,
        parse: (text: string): any => JSON.parse(text),
        function: ({ path }: any) => outcomeOf(path).text,
      },
    }
    return async (said) => {
      const asked = { model, messages: [...messages, chatMessage(said)], tools: [run] }
      const running =
        said.mode === 'stream'
          ? client.chat.completions.runTools({ ...asked, stream: true })
          : client.chat.completions.runTools(asked)
      const text = await running.finalContent()
      messages = running.messages
      return text ?? ''
    }
  },
}

const responsesWith = (name: string, more: object): Talking => ({
  name: `the client of OpenAI, responses, ${name}`,
  begin: (url) => {
    const client = clientOf(url)
    const input: OpenAI.Responses.ResponseInputItem[] = []
    const tools = [{ type: 'function' as const, name: 'read', parameters: readSchema, strict: false }]
    return async ({ text, image: isShown, mode }) => {
      const content: OpenAI.Responses.ResponseInputContent[] = [{ type: 'input_text', text }]
      if (isShown) content.push({ type: 'input_image', image_url: image, detail: 'auto' })
      input.push({ role: 'user', content })
      for (;;) {
        const asked = { model, input, tools, ...more }
        const response =
          mode === 'stream'
            ? await client.responses.stream(asked).finalResponse()
            : await client.responses.create(asked)
        const output: readonly OpenAI.Responses.ResponseOutputItem[] = response.output
        input.push(...toResponseInputItems(output))
        const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
        if (calls.length === 0) return response.output_text
        for (const { call_id, arguments: args } of calls)
          input.push({ type: 'function_call_output', call_id, output: outcomeOf(pathIn(args)).text })
      }
    }
  },
})

export const openaiTalkers: readonly Talking[] = [
  chat,
  runner,
  responsesWith('which keep the history', {}),
  responsesWith('which keep nothing', {
    store: false,
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'low' },
  }),
]
