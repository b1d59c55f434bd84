import { createHash } from 'node:crypto'
import type { AnswerPart, FilePart, Usage } from '@loader/session-core'
import type {
  ImportedAnswer,
  ImportedConversation,
  ConversationItem,
  Prompt,
  Result,
  TakeItem,
} from '../conversation/conversation.ts'
import { exitCodeIn } from '../source/exit-code-in.ts'
import { Counts } from '../source/json-lines.ts'
import { given, timeOf } from '../source/loose.ts'
import { type SourceFile, wholeText } from '../source/source-file.ts'
import { type GeminiHistory, isContext, isOfConversation, type Placed, readHistory, textOfContent } from './history.ts'
import type { FunctionResponse, GeminiCall, GeminiMessage } from './records.ts'

/** A session of Gemini CLI: a list that is rewritten while it grows. */
export function parseGemini(named: SourceFile, take: TakeItem): ImportedConversation {
  const { history, counts, file } = withMessages(named)
  const { sessionId, summary, startTime, dropped } = history
  const cwd = projectOf(file, history)
  const title = summary === undefined ? {} : { title: { text: summary, by: 'model' as const } }
  return {
    source: { kind: 'gemini-cli', ...given('id', sessionId) },
    ...title,
    ...given('cwd', cwd),
    ...given('startedAt', timeOf(startTime)),
    items: itemsOf(history).map(take),
    records: counts.records(),
    // What was taken out of the list is in the history, as taken back.
    branches: 0,
    losses: [
      'System prompts and tool declarations are not taken over. An interruption leaves no sign in these files.',
      ...(cwd === undefined ? ['The file does not say which project it belongs to.'] : []),
      ...(dropped === 0
        ? []
        : [`The program has taken ${dropped} messages out of the list while later ones stayed; they are all here.`]),
    ],
  }
}

/** Resuming leaves a stray file with the same session in it, and nothing else. */
function withMessages(file: SourceFile): ReadHistory {
  const own = readIn(file)
  const { sessionId } = own.history
  if (hasMessages(own.history) || sessionId === undefined) return own
  for (const name of file.beside.list('.')) {
    const beside = /\.jsonl?$/.test(name) ? file.beside.open(name) : undefined
    const other = beside && readIn(beside)
    if (other?.history.sessionId === sessionId && hasMessages(other.history)) return other
  }
  return own
}

interface ReadHistory {
  readonly file: SourceFile
  readonly history: GeminiHistory
  readonly counts: Counts
}

function readIn(file: SourceFile): ReadHistory {
  const counts = new Counts()
  return { file, history: readHistory(file, counts), counts }
}

function hasMessages({ messages }: GeminiHistory): boolean {
  for (const { message } of messages.values()) if (isOfConversation(message)) return true
  return false
}

/** The folder above the chats says which project it is; the hash in the session says whether that is so. */
function projectOf({ beside }: SourceFile, { projectHash }: GeminiHistory): string | undefined {
  const found = beside.open('../.project_root')
  const root = found && wholeText(found).trim()
  if (root === undefined || root === '') return undefined
  const fits = projectHash === undefined || createHash('sha256').update(root).digest('hex') === projectHash
  return fits ? root : undefined
}

function itemsOf({ steps, messages }: GeminiHistory): ConversationItem[] {
  const prompts = promptsOf(steps, messages)
  return steps.flatMap((step): ConversationItem[] => {
    const id = step.kind === 'message' ? step.id : step.from
    const placed = messages.get(id)
    if (placed === undefined) return []
    if (step.kind === 'cut') return [{ kind: 'rewind', to: prompts.get(id) ?? id, place: { line: placed.line } }]
    if (placed.message.type === 'gemini') return answerItems(placed)
    return isOfConversation(placed.message) && !isContext(placed.message) ? promptItem(placed) : []
  })
}

/** The prompt of the turn that a message belongs to. A turn is taken back as a whole: from its prompt on. */
function promptsOf(steps: GeminiHistory['steps'], messages: GeminiHistory['messages']): ReadonlyMap<string, string> {
  const prompts = new Map<string, string>()
  let last: string | undefined
  for (const step of steps) {
    if (step.kind !== 'message') continue
    if (messages.get(step.id)?.message.type === 'user') last = step.id
    if (last !== undefined) prompts.set(step.id, last)
  }
  return prompts
}

function promptItem({ message, line }: Placed): Prompt[] {
  const text = textOfContent(message.content)
  const files = filesOf(message)
  if (text.trim() === '' && files.length === 0) return []
  const place = { line, id: message.id }
  return [
    {
      kind: 'prompt',
      by: 'user',
      text,
      ...(files.length > 0 && { files }),
      place,
      ...given('at', timeOf(message.timestamp)),
    },
  ]
}

function filesOf({ content }: GeminiMessage): FilePart[] {
  if (typeof content === 'string') return []
  return content.flatMap(({ inlineData }) =>
    inlineData === undefined
      ? []
      : [{ type: 'file', mediaType: inlineData.mimeType, source: { kind: 'base64', data: inlineData.data } }],
  )
}

function answerItems({ message, line }: Placed): (ImportedAnswer | Result)[] {
  const { id, model, tokens, timestamp, toolCalls } = message
  const at = given('at', timeOf(timestamp))
  const calls = toolCalls.length > 0 ? toolCalls.map(callPart) : callsInContent(message)
  const text = textOfContent(message.content)
  const thoughts = message.thoughts.map(({ subject, description }) => [subject, description].filter(Boolean).join(': '))
  const content: AnswerPart[] = [
    ...(thoughts.length === 0 ? [] : [{ type: 'reasoning' as const, text: thoughts.join('\n\n') }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls,
  ]
  const answer: ImportedAnswer = {
    kind: 'answer',
    content,
    ending: 'whole',
    ...(tokens && { usage: usageOf(tokens) }),
    ...(model !== undefined && { model: `google/${model}` }),
    place: { line, id },
    ...at,
  }
  return [answer, ...toolCalls.flatMap((call) => resultItem(call, line))]
}

function callPart({ id, name, args = {} }: Pick<GeminiCall, 'id' | 'name' | 'args'>): AnswerPart {
  return { type: 'call', call: { id, name, input: args } }
}

function callsInContent({ id, content }: GeminiMessage): AnswerPart[] {
  if (typeof content === 'string') return []
  return content.flatMap(({ functionCall }, index) =>
    functionCall === undefined
      ? []
      : [callPart({ id: functionCall.id ?? `${id} ${index}`, name: functionCall.name, args: functionCall.args })],
  )
}

function resultItem(call: GeminiCall, line: number): Result[] {
  const { id, status, timestamp, result } = call
  // Results of other calls may stand here as well; those without an id can only be this one's.
  const own = result.filter(({ functionResponse }) => functionResponse?.id === undefined || functionResponse.id === id)
  const texts = own.flatMap(({ functionResponse }) =>
    functionResponse?.response ? [worded(functionResponse.response)] : [],
  )
  if (texts.length === 0 && status !== 'cancelled') return []
  const text = texts.join('\n')
  return [
    {
      kind: 'result',
      callId: id,
      outcome: outcomeOf(status, text),
      text,
      place: { line, id },
      ...given('at', timeOf(timestamp)),
    },
  ]
}

/** A command that failed counts as a success here; only its text says otherwise. */
function outcomeOf(status: string | undefined, text: string): Result['outcome'] {
  if (status === 'cancelled') return 'interrupted'
  if (status === 'error') return 'failed'
  const code = exitCodeIn(text)
  return code === undefined || code === 0 ? 'ok' : 'failed'
}

function worded({ output, error }: NonNullable<FunctionResponse['response']>): string {
  const value = error ?? output ?? null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What is cached is among the tokens that came in; thoughts are not among those that went out. */
function usageOf({ input, output, cached, thoughts }: NonNullable<GeminiMessage['tokens']>): Usage {
  return {
    ...given('inputTokens', input),
    ...given('outputTokens', output === undefined ? undefined : output + (thoughts ?? 0)),
    ...given('cacheReadTokens', cached),
    ...given('reasoningTokens', thoughts),
  }
}
