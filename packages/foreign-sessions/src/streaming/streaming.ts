import { type AnswerPart, JsonValue, LoaderError } from '@loader/session-core'
import * as z from 'zod'
import type { ImportedConversation, ConversationItem, TakeItem } from '../conversation/conversation.ts'
import { documentIn } from '../source/document.ts'
import { count, flag, given, loose, looseList, text, timeOf } from '../source/loose.ts'
import { parsedArguments } from '../source/parsed-arguments.ts'
import type { SourceFile } from '../source/source-file.ts'

const time = z.union([z.number(), z.string()]).optional().catch(undefined)
const Part = z.looseObject({ type: text, text: text })

const Row = z.object({
  role: z.string(),
  content: z.union([z.string(), looseList(Part)]).catch(''),
  timestamp: time,
  _ts: time,
  id: z.union([z.string(), z.number()]).optional().catch(undefined),
  reasoning: text,
  tool_calls: looseList(
    z.object({
      id: z.string().min(1),
      name: text,
      function: loose(z.object({ name: text, arguments: z.unknown().optional() })),
      arguments: z.unknown().optional(),
    }),
  ),
  tool_call_id: text,
  _error: flag,
  _partial: flag,
  type: text,
})
type Row = z.infer<typeof Row>

/** The session file of a web interface. */
const StreamingSession = z.object({
  session_id: z.string().min(1),
  title: text,
  manual_title: flag,
  workspace: text,
  created_workspace: text,
  model: text,
  created_at: time,
  parent_session_id: text,
  input_tokens: count,
  output_tokens: count,
  cache_read_tokens: count,
  cache_write_tokens: count,
  pending_user_message: text,
  pending_started_at: time,
  messages: looseList(Row),
  context_messages: looseList(Row),
})

/** Parses a session of the streaming system: what the user sees, and messages that were not merged yet. */
export function parseStreaming(file: SourceFile, take: TakeItem): ImportedConversation {
  const { path } = file
  const session = StreamingSession.safeParse(documentIn(file)).data
  if (session === undefined)
    throw new LoaderError('invalid_message', `${path} is not a session of the streaming system: it lacks session_id.`)
  const { session_id: id, title, messages, context_messages: context, pending_user_message: pending, model } = session
  const titled = title === undefined || title === 'Untitled' || title === '' ? undefined : title
  return {
    source: { kind: 'streaming', id, ...given('forkedFrom', session.parent_session_id) },
    ...(titled !== undefined && { title: { text: titled, by: session.manual_title === true ? 'user' : 'model' } }),
    ...given('cwd', session.created_workspace ?? session.workspace),
    ...given('startedAt', timeOf(session.created_at)),
    items: messages.flatMap((row, index) => itemsOf(row, index, model).map(take)),
    ...(pending !== undefined &&
      pending.trim() !== '' && { waiting: [{ text: pending, ...given('at', timeOf(session.pending_started_at)) }] }),
    usage: {
      ...given('inputTokens', session.input_tokens),
      ...given('outputTokens', session.output_tokens),
      ...given('cacheReadTokens', session.cache_read_tokens),
      ...given('cacheWriteTokens', session.cache_write_tokens),
    },
    records: { read: messages.length, understood: messages.length, skipped: {} },
    branches: 0,
    losses: [
      'Activity scenes, drafts and routing are not taken over.',
      ...(context.length > 0 && context.length < messages.length
        ? [
            'The model saw less than the user: its context had been compacted. Here it sees everything that the user saw.',
          ]
        : []),
    ],
  }
}

function itemsOf(row: Row, index: number, model: string | undefined): ConversationItem[] {
  const { role, timestamp, _ts, id, _error, type, tool_call_id: callId } = row
  const place = { line: index + 1, id: id === undefined ? `messages[${index}]` : String(id) }
  const placed = { place, ...given('at', timeOf(timestamp ?? _ts)) }
  const said = textOf(row)
  if (_error === true) {
    return type === 'interrupted'
      ? [{ kind: 'stop', during: 'request', ...placed }]
      : [{ kind: 'failure', message: said || 'The turn failed.', afterwards: 'gave up', ...placed }]
  }
  switch (role) {
    case 'user':
      return said.trim() === '' ? [] : [{ kind: 'prompt', by: 'user', text: said, ...placed }]
    case 'assistant':
      return [
        {
          kind: 'answer',
          content: partsOf(row, said),
          ending: row._partial === true ? 'cut off' : 'whole',
          ...given('model', model),
          ...placed,
        },
      ]
    case 'tool':
      return callId === undefined ? [] : [{ kind: 'result', callId, outcome: 'ok', text: said, ...placed }]
    default:
      return []
  }
}

function textOf({ content }: Row): string {
  if (typeof content === 'string') return content
  return content.flatMap(({ text: part }) => part ?? []).join('\n')
}

function partsOf({ reasoning, tool_calls: calls }: Row, said: string): AnswerPart[] {
  return [
    ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
    { type: 'text', text: said },
    ...calls.map(callPart),
  ]
}

function callPart({ id, name, function: made, arguments: own }: Row['tool_calls'][number]): AnswerPart {
  const written = made?.arguments ?? own
  const parsed = typeof written === 'string' ? parsedArguments(written) : JsonValue.safeParse(written).data
  const call = { id, name: made?.name ?? name ?? 'unknown' }
  if (parsed !== undefined) return { type: 'call', call: { ...call, input: parsed } }
  return { type: 'call', call: { ...call, input: {}, ...(typeof written === 'string' && { malformed: written }) } }
}
