// Asks a model of Amazon Bedrock over a fetch that answers nothing, with these variables, and prints what was sent.
// A process of its own, because the test runner resolves a part of that package's libraries in a way that Node does not.
import { backendFor, type Fetch } from '@loader/backends'

const sent: { readonly url: string; readonly headers: Record<string, string>; readonly body: unknown }[] = []
const fetch: Fetch = async (target, init) => {
  const headers = Object.fromEntries(new Headers(init?.headers))
  const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
  sent.push({ url: typeof target === 'string' ? target : '', headers, body })
  return new Response('{"message":"no"}', { status: 400, headers: { 'content-type': 'application/json' } })
}
const variables = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>
const message = { id: 'in_1', role: 'user', origin: 'input', at: '2026-01-01T00:00:00.000Z' } as const
let error = ''
try {
  const messages = [{ ...message, content: [{ type: 'text', text: 'Hello.' }] }] as const
  const request = { requestId: 'r', purpose: 'answer', system: 'Be brief.', messages, tools: [] } as const
  for await (const _event of backendFor('bedrock/us.claude', { variables, fetch }).stream(request)) continue
} catch (thrown) {
  error = String(thrown)
}
console.log(JSON.stringify({ sent, error }))
