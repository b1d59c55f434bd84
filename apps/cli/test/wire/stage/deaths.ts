import type { Moment } from './job.ts'
import type { Protocol } from './protocols.ts'

/** A place where the process is killed: by itself, or by whoever waits for its next request at the other end. */
export type Death = { readonly name: string } & (
  | { readonly by: 'server'; readonly moment: 'before' | 'after'; readonly request: number }
  | {
      readonly by: 'itself'
      readonly at: Moment
      /** Until it is gone, no more than so many chunks of the answer to this request are sent. */
      readonly held?: { readonly request: number; readonly chunks: number }
    }
)

function event(name: string, type: string, count: number): Death {
  return { name, by: 'itself', at: { at: 'event', type, count } }
}

function server(name: string, moment: 'before' | 'after', request: number): Death {
  return { name, by: 'server', moment, request }
}

/** In the order of the task: two looks, a file, a command, an answer, a check. */
export function deathsIn(protocol: Protocol): readonly Death[] {
  // Ollama and Google send calls whole.
  const piece =
    protocol === 'ollama' || protocol === 'google'
      ? ({ type: 'delta.text', text: 'in one.' } as const)
      : ({ type: 'delta.call', text: 'file_path' } as const)
  return [
    event('when nothing but the words of the user is stored', 'input.queued', 1),
    server('before the first answer is sent', 'before', 1),
    server('when the first answer was sent', 'after', 1),
    event('when the first answer is stored', 'model.answered', 1),
    { name: 'before the first of two calls runs', by: 'itself', at: { at: 'before tool', name: 'read' } },
    event('between the results of two calls of one answer', 'tool.finished', 1),
    server('before the second answer is sent', 'before', 2),
    {
      name: 'in the middle of a text, of which some is stored',
      by: 'itself',
      at: { at: 'event that says', type: 'answer.progressed', text: 'put together' },
      held: { request: 2, chunks: 3 },
    },
    {
      name: 'in the middle of a text, of which nothing is stored',
      by: 'itself',
      at: { at: 'delta', type: 'delta.text', text: 'Both parts' },
      held: { request: 2, chunks: 2 },
    },
    {
      name: 'in the middle of a call',
      by: 'itself',
      at: { at: 'delta', ...piece },
      held: { request: 2, chunks: 6 },
    },
    server('when the second answer was sent', 'after', 2),
    { name: 'before a file is written', by: 'itself', at: { at: 'before tool', name: 'write' } },
    { name: 'when a file was written, and nothing tells of it', by: 'itself', at: { at: 'after tool', name: 'write' } },
    event('between the result of a call and the next request', 'tool.finished', 3),
    { name: 'before a command runs', by: 'itself', at: { at: 'before tool', name: 'bash' } },
    {
      name: 'while a command runs',
      by: 'itself',
      at: { at: 'delta', type: 'delta.output', text: 'half way' },
    },
    { name: 'when a command ran, and nothing tells of it', by: 'itself', at: { at: 'after tool', name: 'bash' } },
    server('before the last answer is sent', 'before', 4),
    {
      name: 'in the middle of the last answer',
      by: 'itself',
      at: { at: 'event that says', type: 'answer.progressed', text: 'holds both parts' },
      held: { request: 4, chunks: 2 },
    },
    server('when the last answer was sent', 'after', 4),
    event('while the check runs', 'check.started', 1),
  ]
}
