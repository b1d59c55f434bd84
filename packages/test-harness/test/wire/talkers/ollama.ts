import { Ollama, type Message } from 'ollama'
import { outcomeOf, patiently, pixel, readSchema, type Talking } from './talker.ts'

const isPassing = (error: unknown) =>
  error instanceof Error && 'status_code' in error && [429, 503].includes(Number(error.status_code))

const chat: Talking = {
  name: 'the client of Ollama',
  begin: (url) => {
    const client = new Ollama({ host: url })
    const messages: Message[] = []
    const tools = [
      { type: 'function', function: { name: 'read', description: 'Reads a file', parameters: readSchema } },
    ]
    const whole = async () => (await client.chat({ model: 'm', messages, tools })).message
    const streamed = async (): Promise<Message> => {
      const message: Message = { role: 'assistant', content: '' }
      for await (const { message: piece } of await client.chat({ model: 'm', messages, tools, stream: true })) {
        message.content += piece.content
        message.thinking = (message.thinking ?? '') + (piece.thinking ?? '')
        if (piece.tool_calls) message.tool_calls = [...(message.tool_calls ?? []), ...piece.tool_calls]
      }
      return message
    }
    return async ({ text, image, mode }) => {
      messages.push({ role: 'user', content: text, ...(image && { images: [pixel] }) })
      for (;;) {
        const message = await patiently(mode === 'stream' ? streamed : whole, isPassing)
        messages.push(message)
        if (message.tool_calls === undefined) return message.content
        for (const { function: called } of message.tool_calls)
          messages.push({ role: 'tool', tool_name: called.name, content: outcomeOf(called.arguments['path']).text })
      }
    }
  },
}

export const ollamaTalkers: readonly Talking[] = [chat]
