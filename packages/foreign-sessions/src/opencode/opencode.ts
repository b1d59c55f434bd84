import { type AnswerPart, type FilePart, LoaderError, type Usage } from '@loader/session-core'
import type {
  ImportedAnswer,
  ImportedConversation,
  ConversationItem,
  Result,
  TakeItem,
} from '../conversation/conversation.ts'
import { documentIn } from '../source/document.ts'
import { Counts } from '../source/json-lines.ts'
import { given, timeOf } from '../source/loose.ts'
import type { SourceFile } from '../source/source-file.ts'
import { OpencodeExport, OpencodeMessage, type OpencodePart } from './records.ts'

/** Parses a session of opencode in the format of `opencode export`, because its own store is a database. */
export function parseOpencode(file: SourceFile, take: TakeItem): ImportedConversation {
  const document = OpencodeExport.safeParse(documentIn(file)).data
  if (document === undefined) {
    throw new LoaderError('invalid_message', `${file.path} is not an export of opencode: it lacks info or messages.`)
  }
  const { info, messages } = document
  const counts = new Counts()
  const items = messages.flatMap((value, index) => {
    counts.read += 1
    const message = OpencodeMessage.safeParse(value).data
    if (message === undefined) counts.skip('of another kind')
    return message === undefined ? [] : itemsOf(message, index + 1)
  })
  return {
    source: { kind: 'opencode', id: info.id, ...given('version', info.version), ...given('forkedFrom', info.parentID) },
    ...(info.title !== undefined && { title: { text: info.title, by: 'model' as const } }),
    ...given('cwd', info.directory),
    ...given('startedAt', timeOf(info.time?.created)),
    items: items.map(take),
    records: counts.records(),
    branches: 0,
    losses: ['System prompts, tool declarations, permissions and file snapshots are not taken over.'],
  }
}

type Placed = Pick<ImportedAnswer, 'place' | 'at'>

function itemsOf(message: OpencodeMessage, line: number): ConversationItem[] {
  const { info, parts } = message
  const placed: Placed = {
    place: { line, id: info.id },
    ...given('at', timeOf(info.time?.completed ?? info.time?.created)),
  }
  if (info.role === 'assistant') return [...answerOf(message, placed), ...failureOf(message, placed)]
  const text = parts.flatMap((part) => (part.type === 'text' && isTyped(part) ? [part.text] : [])).join('\n')
  const files = parts.flatMap((part) => (part.type === 'file' ? [fileOf(part)] : []))
  if (text.trim() === '' && files.length === 0) return []
  return [{ kind: 'prompt', by: 'user', text, ...(files.length > 0 && { files }), ...placed }]
}

/** False for texts that the program added to a message of the user. */
function isTyped({ synthetic, ignored }: Extract<OpencodePart, { type: 'text' }>): boolean {
  return synthetic !== true && ignored !== true
}

function answerOf({ info, parts }: OpencodeMessage, placed: Placed): (ImportedAnswer | Result)[] {
  const content = parts.flatMap(answerPart)
  // The record of an answer exists before its first part.
  if (content.length === 0) return []
  const { finish, tokens, providerID, modelID } = info
  const isWhole = finish !== undefined || info.time?.completed !== undefined || parts.every(hasEnded)
  const answer: ImportedAnswer = {
    kind: 'answer',
    content,
    ending: isWhole ? 'whole' : 'cut off',
    ...given('finishReason', finishReasons[finish ?? '']),
    ...(tokens && { usage: usageOf(tokens) }),
    ...(modelID !== undefined && { model: `${providerID ?? 'opencode'}/${modelID}` }),
    ...placed,
  }
  return [answer, ...parts.flatMap((part) => resultOf(part, placed))]
}

function hasEnded(part: OpencodePart): boolean {
  return (part.type !== 'text' && part.type !== 'reasoning') || part.time?.end !== undefined
}

const finishReasons: Readonly<Record<string, NonNullable<ImportedAnswer['finishReason']>>> = {
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'content-filter',
}

function answerPart(part: OpencodePart): AnswerPart[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.type, text: part.text }]
    case 'tool':
      return [{ type: 'call', call: { id: part.callID, name: part.tool, input: part.state.input ?? {} } }]
    case 'file':
      return [fileOf(part)]
    default:
      return part satisfies never
  }
}

/** No result for a call that was pending or running when the program ended. */
function resultOf(part: OpencodePart, { place }: Placed): Result[] {
  if (part.type !== 'tool') return []
  const { status, output, error, time } = part.state
  if (status !== 'completed' && status !== 'error') return []
  return [
    {
      kind: 'result',
      callId: part.callID,
      outcome: outcomeOf(part),
      text: error ?? output ?? '',
      place: { ...place, id: part.callID },
      ...given('at', timeOf(time?.end)),
    },
  ]
}

/** Opencode calls a failed command completed, also one without an exit code because it was killed. */
function outcomeOf({ tool, state }: Extract<OpencodePart, { type: 'tool' }>): Result['outcome'] {
  const { status, error, metadata } = state
  if (metadata?.interrupted === true || error === 'Tool execution aborted') return 'interrupted'
  if (status === 'error' || tool === 'invalid') return 'failed'
  if (metadata?.exit === null) return 'unknown'
  return (metadata?.exit ?? 0) === 0 ? 'ok' : 'failed'
}

function failureOf({ info }: OpencodeMessage, placed: Placed): ConversationItem[] {
  const { error } = info
  if (error === undefined) return []
  if (error.name === 'MessageAbortedError') return [{ kind: 'stop', during: 'unknown', ...placed }]
  const { message = error.name ?? 'The request failed.', statusCode } = error.data ?? {}
  return [{ kind: 'failure', message, ...given('status', statusCode), afterwards: 'gave up', ...placed }]
}

function fileOf({ mime, url }: Extract<OpencodePart, { type: 'file' }>): FilePart {
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1]
  return { type: 'file', mediaType: mime, source: data === undefined ? { kind: 'url', url } : { kind: 'base64', data } }
}

/** Cached tokens are not included in the input tokens. */
function usageOf({ input = 0, output = 0, reasoning, cache }: NonNullable<OpencodeMessage['info']['tokens']>): Usage {
  const { read = 0, write = 0 } = cache ?? {}
  return {
    inputTokens: input + read + write,
    outputTokens: output + (reasoning ?? 0),
    cacheReadTokens: read,
    cacheWriteTokens: write,
    ...given('reasoningTokens', reasoning),
  }
}
