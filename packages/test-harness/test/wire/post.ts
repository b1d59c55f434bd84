import type { Dialect } from '../../src/index.ts'

const paths: Readonly<Record<Dialect, string>> = {
  openai: '/v1/chat/completions',
  anthropic: '/v1/messages',
  ollama: '/api/chat',
}

export const dialects: readonly Dialect[] = ['openai', 'anthropic', 'ollama']

/** A request with nothing in between: what comes back is what the server sent. */
export function post(
  url: string,
  dialect: Dialect,
  body: object,
  { headers = {}, signal }: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(`${url}${paths[dialect]}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(dialect === 'anthropic' && { 'x-api-key': 'sk-any', 'anthropic-version': '2023-06-01' }),
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
}

/** The plainest request with these messages. */
export function bodyOf(dialect: Dialect, messages: readonly object[] = [user('Hi')], more: object = {}): object {
  const most = dialect === 'anthropic' ? { max_tokens: 100 } : {}
  return { model: 'm', messages, stream: false, ...most, ...more }
}

export const user = (content: string) => ({ role: 'user', content })
export const says = (content: string) => ({ role: 'assistant', content })

/** The text of an answer that is no stream. */
export async function textOf(dialect: Dialect, response: Response): Promise<unknown> {
  const body: any = await response.json()
  switch (dialect) {
    case 'openai':
      return body.choices?.[0]?.message.content
    case 'anthropic':
      return body.content?.[0]?.text
    case 'ollama':
      return body.message?.content
    default:
      return dialect satisfies never
  }
}
