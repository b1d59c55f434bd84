import { ApiError, type Content, type FunctionCall, GoogleGenAI, type Part } from '@google/genai'
import { outcomeOf, patiently, pixel, readSchema, type Said, type Talking } from './talker.ts'

const clientOf = (baseUrl: string) => new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl } })
const model = 'gemini-3-pro'
const declared = { functionDeclarations: [{ name: 'read', parametersJsonSchema: readSchema }] }
const isPassing = (error: unknown) => error instanceof ApiError && [429, 503].includes(error.status)

const partsOf = ({ text, image }: Said): Part[] =>
  image ? [{ text }, { inlineData: { mimeType: 'image/png', data: pixel } }] : [{ text }]

function responseTo({ id = '', name = '', args }: FunctionCall): Part {
  const { text, isError } = outcomeOf(args?.['path'])
  return { functionResponse: { id, name, response: isError ? { error: text } : { output: text } } }
}

const contents: Talking = {
  name: 'the client of Google',
  begin: (url) => {
    const client = clientOf(url)
    const history: Content[] = []
    const ask = async (mode: Said['mode']): Promise<Part[]> => {
      const asked = { model, contents: history, config: { tools: [declared] } }
      if (mode === 'whole') return (await client.models.generateContent(asked)).candidates?.[0]?.content?.parts ?? []
      const parts: Part[] = []
      for await (const { candidates } of await client.models.generateContentStream(asked))
        parts.push(...(candidates?.[0]?.content?.parts ?? []))
      return parts
    }
    return async (said) => {
      history.push({ role: 'user', parts: partsOf(said) })
      for (;;) {
        const parts = await patiently(() => ask(said.mode), isPassing)
        history.push({ role: 'model', parts })
        const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []))
        if (calls.length === 0) return textOf(parts)
        history.push({ role: 'user', parts: calls.map(responseTo) })
      }
    }
  },
}

const chat: Talking = {
  name: 'the client of Google, in a chat that runs its tools',
  begin: (url) => {
    const tool = { tool: async () => declared, callTool: async (calls: FunctionCall[]) => calls.map(responseTo) }
    const talk = clientOf(url).chats.create({ model, config: { tools: [tool] } })
    return async (said) => {
      const message = partsOf(said)
      return patiently(async () => {
        if (said.mode === 'whole') return (await talk.sendMessage({ message })).text ?? ''
        let text = ''
        for await (const { candidates } of await talk.sendMessageStream({ message })) {
          const parts = candidates?.[0]?.content?.parts ?? []
          text = parts.some(({ functionResponse }) => functionResponse) ? '' : text + textOf(parts)
        }
        return text
      }, isPassing)
    }
  },
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap(({ text, thought }) => (text !== undefined && !thought ? [text] : [])).join('')
}

export const googleTalkers: readonly Talking[] = [contents, chat]
