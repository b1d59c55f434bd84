import type { Dialect } from '../../src/index.ts'

const paths: Readonly<Record<Exclude<Dialect, 'gemini'>, string>> = {
  openai: '/v1/chat/completions',
  responses: '/v1/responses',
  anthropic: '/v1/messages',
  ollama: '/api/chat',
}

export const dialects: readonly Dialect[] = ['openai', 'responses', 'anthropic', 'gemini', 'ollama']

const keys: Readonly<Partial<Record<Dialect, Record<string, string>>>> = {
  responses: { authorization: 'Bearer sk-any' },
  anthropic: { 'x-api-key': 'sk-any', 'anthropic-version': '2023-06-01' },
  gemini: { 'x-goog-api-key': 'sk-any' },
}

/** A request with nothing in between: what comes back is what the server sent. */
export function post(
  url: string,
  dialect: Dialect,
  body: object,
  { headers = {}, signal }: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const { path, sent } = addressed(dialect, body)
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...keys[dialect], ...headers },
    body: JSON.stringify(sent),
    ...(signal && { signal }),
  })
}

/** Gemini has the model, and whether the answer is a stream, in the path. */
export function addressed(dialect: Dialect, body: object): { readonly path: string; readonly sent: object } {
  if (dialect !== 'gemini') return { path: paths[dialect], sent: body }
  const { model, stream, ...sent } = body as { model: string; stream?: boolean }
  return { path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`, sent }
}

/** The plainest request with these messages; what only has a role and a text is put into the words of the dialect. */
export function bodyOf(dialect: Dialect, messages: readonly object[] = [user('Hi')], more: object = {}): object {
  const rest = { model: 'm', stream: false, ...more }
  switch (dialect) {
    case 'responses':
      return { ...rest, input: messages }
    case 'gemini':
      return { ...rest, contents: messages.map(contentOf) }
    case 'anthropic':
      return { messages, max_tokens: 100, ...rest }
    default:
      return { messages, ...rest }
  }
}

function contentOf(message: object): object {
  if (!('role' in message) || !('content' in message)) return message
  const { role, content } = message
  return {
    role: role === 'assistant' ? 'model' : role,
    parts: typeof content === 'string' ? [{ text: content }] : content,
  }
}

/** A tool as the dialect describes it; all of them stand in the list that `withTools` makes. */
export function described(dialect: Dialect, name: string, schema: unknown): object {
  switch (dialect) {
    case 'anthropic':
      return { name, input_schema: schema }
    case 'responses':
      return { type: 'function', name, parameters: schema, strict: false }
    case 'gemini':
      return { name, parametersJsonSchema: schema }
    default:
      return { type: 'function', function: { name, parameters: schema } }
  }
}

export function toolsOf(dialect: Dialect, ...tools: readonly object[]): object {
  return { tools: dialect === 'gemini' ? [{ functionDeclarations: tools }] : tools }
}

export const user = (content: string) => ({ role: 'user', content })
export const says = (content: string) => ({ role: 'assistant', content })

/** The text of an answer that is no stream. */
export async function textOf(dialect: Dialect, response: Response): Promise<unknown> {
  const body: any = await response.json()
  switch (dialect) {
    case 'openai':
      return body.choices?.[0]?.message.content
    case 'responses':
      return body.output?.find(({ type }: any) => type === 'message')?.content[0]?.text
    case 'anthropic':
      return body.content?.[0]?.text
    case 'gemini':
      return body.candidates?.[0]?.content.parts?.find(({ thought }: any) => thought !== true)?.text
    case 'ollama':
      return body.message?.content
    default:
      return dialect satisfies never
  }
}
