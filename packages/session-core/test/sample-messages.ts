import type { Message, Part } from '../src/index.ts'

export const at = '2026-01-01T00:00:00.000Z'

/** A message as a session holds it. */
export function message(role: Message['role'], ...content: Part[]): Message {
  const origins = { system: 'note', user: 'input', assistant: 'model', tool: 'tool' } as const
  return { id: `${role} message`, role, origin: origins[role], content, at }
}

export const say = (text: string): Part => ({ type: 'text', text })
export const call = (id: string, input = {}): Part => ({ type: 'call', call: { id, name: 'read', input } })
export const result = (
  callId: string,
  text: string,
  outcome: 'ok' | 'failed' | 'denied' | 'interrupted' | 'unknown' = 'ok',
): Part => ({
  type: 'result',
  callId,
  name: 'read',
  outcome,
  text,
})

/** An answer with reasoning and two calls, whose results came in the other order. */
export const conversation = [
  message('system', say('Be brief.')),
  message('user', say('What is in a and b?')),
  message(
    'assistant',
    { type: 'reasoning', text: 'Two files.', providerMetadata: { anthropic: { signature: 'sig' } } },
    say('I read both.'),
    call('one', { path: 'a' }),
    call('two', { path: 'b' }),
  ),
  message('tool', result('two', 'no such file', 'failed')),
  message('tool', result('one', 'hello')),
  message('assistant', say('Only a exists.')),
]

/** An answer that makes these calls, and results, in either shape. */
export const forms = {
  openai: {
    answer: (...ids: string[]) => ({
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id, index) => ({
        id,
        type: 'function',
        function: { name: `tool${index}`, arguments: '{}' },
      })),
    }),
    result: (id: string, text: string) => ({ role: 'tool', tool_call_id: id, content: text }),
  },
  'ai-sdk': {
    answer: (...ids: string[]) => ({
      role: 'assistant',
      content: ids.map((toolCallId, index) => ({ type: 'tool-call', toolCallId, toolName: `tool${index}`, input: {} })),
    }),
    result: (toolCallId: string, value: string) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName: 'x', output: { type: 'text', value } }],
    }),
  },
} as const

/** A message of the user, which is the same in both shapes. */
export const user = (content: string) => ({ role: 'user', content })
