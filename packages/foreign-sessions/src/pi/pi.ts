import type { AnswerPart, FilePart, Usage } from '@loader/session-core'
import type {
  ImportedAnswer,
  ImportedConversation,
  ConversationItem,
  Result,
  TakeItem,
} from '../conversation/conversation.ts'
import type { Again } from '../source/again.ts'
import { Counts, jsonLines } from '../source/json-lines.ts'
import { given, timeOf } from '../source/loose.ts'
import type { SourceFile } from '../source/source-file.ts'
import { type PiContent, PiEntry, PiHeader, type PiMessage } from './records.ts'

/** Entry types that are not part of the conversation, and are dropped without a report. */
const settings = new Set(['model_change', 'thinking_level_change', 'session_info', 'usage', 'label', 'context_edit'])

/** Parses a session of pi: a tree in a file of lines, whose last entry is the current position. */
export function parsePi(file: SourceFile, take: TakeItem): ImportedConversation {
  const counts = new Counts()
  let header: ReturnType<typeof PiHeader.parse> | undefined
  const entries: KnownEntry[] = []
  for (const { line, value, again } of jsonLines(file, counts)) {
    header ??= PiHeader.safeParse(value).data
    const entry = PiEntry.safeParse(value).data
    if (entry !== undefined && entry.type !== 'session') entries.push(known(entry, line, again))
    else if (!PiHeader.safeParse(value).success) counts.skip('without an id')
  }
  const path = pathOf(entries)
  const items = path.flatMap((entry) => itemOf(PiEntry.parse(entry.again()), entry.line, counts).map(take))
  const title = entries.findLast(({ type, name }) => type === 'session_info' && name !== undefined)?.name
  return {
    source: {
      kind: 'pi',
      ...given('id', header?.id),
      ...given('version', header?.version === undefined ? undefined : String(header.version)),
      ...given('forkedFrom', header?.parentSession?.replace(/^.*[/\\]/, '')),
    },
    ...(title !== undefined && { title: { text: title, by: 'user' as const } }),
    ...given('cwd', header?.cwd),
    ...given('startedAt', timeOf(header?.timestamp)),
    items,
    records: counts.records(),
    branches: branchesOff(entries, path),
    losses: [
      'System prompts and tool declarations are not taken over. A call that ran when the program ended left no sign.',
    ],
  }
}

/** The fields needed of every entry; the rest is read again when it is needed. */
interface KnownEntry extends Pick<PiEntry, 'type' | 'id' | 'parentId' | 'name'> {
  readonly line: number
  readonly again: Again
}

function known({ type, id, parentId, name }: PiEntry, line: number, again: Again): KnownEntry {
  return { type, id, parentId, ...given('name', name), line, again }
}

function parentsOf(entries: readonly KnownEntry[]): ReadonlyMap<KnownEntry, KnownEntry | undefined> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return new Map(
    entries.map((entry, index) => {
      const { parentId } = entry
      // An entry whose parent is missing is attached to the entry written before it.
      const parent =
        parentId === null || (parentId === undefined && index === 0)
          ? undefined
          : (byId.get(parentId ?? '') ?? entries[index - 1])
      return [entry, parent === entry ? undefined : parent]
    }),
  )
}

function pathOf(entries: readonly KnownEntry[]): KnownEntry[] {
  const parents = parentsOf(entries)
  const path = new Set<KnownEntry>()
  for (let entry = entries.at(-1); entry && !path.has(entry); entry = parents.get(entry)) path.add(entry)
  return [...path].toReversed()
}

function branchesOff(entries: readonly KnownEntry[], path: readonly KnownEntry[]): number {
  const live = new Set(path)
  return [...parentsOf(entries)].filter(
    ([entry, parent]) => !live.has(entry) && (parent === undefined || live.has(parent)),
  ).length
}

function itemOf(entry: PiEntry, line: number, counts: Counts): ConversationItem[] {
  const { type, id, message, summary, firstKeptEntryId, tokensBefore, timestamp } = entry
  const placed = { place: { line, id }, ...given('at', timeOf(timestamp)) }
  if (type === 'compaction' && summary !== undefined) {
    const keeps = firstKeptEntryId === undefined ? [] : { from: firstKeptEntryId }
    return [{ kind: 'compaction', text: summary, keeps, ...given('tokensBefore', tokensBefore), ...placed }]
  }
  if (type === 'message' && message !== undefined) {
    const item = messageItem(message, placed)
    if (item !== undefined) return [item]
    counts.skip(`message of ${message.role}`)
  } else if (!settings.has(type)) counts.skip(type)
  return []
}

type PlacedItem = Pick<ImportedAnswer, 'place' | 'at'>

function messageItem(message: PiMessage, placed: PlacedItem): ConversationItem | undefined {
  switch (message.role) {
    case 'user': {
      const text = textOf(message.content)
      const files = filesOf(message.content)
      if (text.trim() === '' && files.length === 0) return undefined
      return { kind: 'prompt', by: 'user', text, ...(files.length > 0 && { files }), ...placed }
    }
    case 'assistant':
      return message.stopReason === 'error'
        ? {
            kind: 'failure',
            message: message.errorMessage ?? 'The request failed.',
            ...statusIn(message),
            afterwards: 'gave up',
            ...placed,
          }
        : answerItem(message, placed)
    case 'toolResult':
      return message.toolCallId === undefined ? undefined : resultItem(message, message.toolCallId, placed)
    default:
      return undefined
  }
}

function answerItem({ content, provider, model, usage, stopReason }: PiMessage, placed: PlacedItem): ImportedAnswer {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content.map(answerPart)
  return {
    kind: 'answer',
    content: parts,
    ending: stopReason === 'aborted' ? 'cut off' : 'whole',
    ...given('finishReason', finishReasons[stopReason ?? '']),
    ...(usage && { usage: usageOf(usage) }),
    ...(model !== undefined && { model: `${provider ?? 'pi'}/${model}` }),
    ...placed,
  }
}

const finishReasons: Readonly<Record<string, NonNullable<ImportedAnswer['finishReason']>>> = {
  stop: 'stop',
  toolUse: 'tool-calls',
  length: 'length',
}

function answerPart(part: PiContent): AnswerPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'thinking': {
      const signature = part.thinkingSignature
      return { type: 'reasoning', text: part.thinking, ...(signature && { providerMetadata: { pi: { signature } } }) }
    }
    case 'toolCall':
      return { type: 'call', call: { id: part.id, name: part.name, input: part.arguments } }
    case 'image':
      return { type: 'file', mediaType: part.mimeType, source: { kind: 'base64', data: part.data } }
    default:
      return part satisfies never
  }
}

function resultItem({ content, isError, details }: PiMessage, callId: string, placed: PlacedItem): Result {
  const files = filesOf(content)
  const about = details === undefined || Object.keys(details).length === 0 ? {} : { metadata: { details } }
  const outcome = isError === true ? 'failed' : 'ok'
  return {
    kind: 'result',
    callId,
    outcome,
    text: textOf(content),
    ...(files.length > 0 && { files }),
    ...about,
    ...placed,
  }
}

function textOf(content: PiMessage['content']): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function filesOf(content: PiMessage['content']): FilePart[] {
  if (typeof content === 'string') return []
  return content.flatMap((part): FilePart[] =>
    part.type === 'image'
      ? [{ type: 'file', mediaType: part.mimeType, source: { kind: 'base64', data: part.data } }]
      : [],
  )
}

/** The HTTP status, if the error message begins with one. */
function statusIn({ errorMessage = '' }: PiMessage): { readonly status?: number } {
  const status = /^(\d{3})\b/.exec(errorMessage)?.[1]
  return status === undefined ? {} : { status: Number(status) }
}

/** Cached tokens are not included in the input tokens. */
function usageOf({
  input = 0,
  output = 0,
  cacheRead = 0,
  cacheWrite = 0,
  reasoning,
}: NonNullable<PiMessage['usage']>): Usage {
  return {
    inputTokens: input + cacheRead + cacheWrite,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    ...given('reasoningTokens', reasoning),
  }
}
