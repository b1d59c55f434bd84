import type { AnswerPart } from '@loader/session-core'
import type * as z from 'zod'
import type {
  ImportedAnswer,
  Compaction,
  ImportedConversation,
  ConversationItem,
  Result,
  TakeItem,
} from '../conversation/conversation.ts'
import { Counts } from '../source/json-lines.ts'
import { given } from '../source/loose.ts'
import type { SourceFile } from '../source/source-file.ts'
import { callPart, outcomeOf, outputText, reasoningPart, usageOf } from './parts.ts'
import type { Compacted, ResponseItem, ResponseMessage, UsageRecord } from './records.ts'
import { readRollout, type Rollout, type RolloutLine } from './rollout.ts'
import { isTyped, messageFiles, messageText, userWords } from './said-by.ts'
import { type CodexScreen, screenOf } from './screen.ts'
import { shownPrompt } from './shown.ts'

/** Parses a session of Codex: the items sent to the model, mixed with the events shown on the screen. */
export function parseCodex(file: SourceFile, take: TakeItem): ImportedConversation {
  const counts = new Counts()
  const rollout = readRollout(file, counts)
  const { meta, cwd, startedAt, missing } = rollout
  const forkedFrom = meta.forked_from_id ?? meta.history_base?.thread_id
  return {
    source: {
      kind: 'codex',
      ...given('id', meta.id ?? meta.session_id),
      ...given('version', meta.cli_version),
      ...given('forkedFrom', forkedFrom),
    },
    ...given('cwd', cwd),
    ...given('startedAt', startedAt),
    items: new Reader(rollout, take).items(),
    records: counts.records(),
    branches: 0,
    losses: [
      'System prompts, tool declarations and permissions are not taken over.',
      ...missing.map((id) => `What came before the fork is missing: the file of session ${id} was not found.`),
    ],
  }
}

type ItemLine = Extract<RolloutLine, { kind: 'item' }>
type ScreenLine = Extract<RolloutLine, { kind: 'screen' }>

/** Combines the lines of a rollout: several make one answer, and the outcome of a call is in two places. */
class Reader {
  readonly #rollout: Rollout
  readonly #shown: CodexScreen
  readonly #taken: TakeItem
  readonly #items: ConversationItem[] = []
  readonly #prompts = new Map<string, string>()
  #model: string | undefined
  #parts: AnswerPart[] = []
  #first: ItemLine | undefined
  #last: ItemLine | undefined

  constructor(rollout: Rollout, take: TakeItem) {
    this.#rollout = rollout
    this.#taken = take
    this.#shown = screenOf(rollout.lines)
  }

  items(): ConversationItem[] {
    const { lines } = this.#rollout
    for (const [index, line] of lines.entries()) this.#take(line, index)
    this.#answered(undefined)
    return this.#items
  }

  #take(line: RolloutLine, index: number): void {
    switch (line.kind) {
      case 'context':
        this.#model = line.model ?? this.#model
        return
      case 'usage':
        return this.#answered(line.usage)
      case 'compacted':
        this.#answered(undefined)
        return this.#made(this.#compaction(line, line.compacted()))
      case 'screen':
        return this.#takeScreen(line)
      case 'item':
        return this.#takeItem(line, index)
      default:
        return line satisfies never
    }
  }

  #takeItem(line: ItemLine, index: number): void {
    const item = line.item()
    switch (item.type) {
      case 'message':
        return item.role === 'assistant' ? this.#takeAnswerText(line, item, index) : this.#takePrompt(line, item)
      case 'reasoning':
        return this.#add(line, reasoningPart(item))
      case 'function_call':
      case 'custom_tool_call':
        return this.#add(line, callPart(item))
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.#answered(undefined)
        return this.#made(this.#result(line, item))
      default:
        return item satisfies never
    }
  }

  #takePrompt(line: ItemLine, item: ResponseMessage): void {
    if (!isTyped(line.words, this.#shown.prompts)) return
    this.#answered(undefined)
    const files = messageFiles(item)
    const text = messageText(item)
    const id = item.id ?? idOfLine(line)
    this.#prompts.set(line.words.key, id)
    this.#made({ kind: 'prompt', by: 'user', text, ...(files.length > 0 && { files }), ...placed(line, id) })
  }

  #takeAnswerText(line: ItemLine, item: ResponseMessage, index: number): void {
    if (!this.#isOfCompaction(line, index)) this.#add(line, { type: 'text', text: messageText(item) })
  }

  /** Right before a compaction the file has its summary as an answer, which was never shown to the user. */
  #isOfCompaction(line: ItemLine, index: number): boolean {
    if (line.ofCompaction) return true
    const { lines } = this.#rollout
    let next = lines[index + 1]
    for (let at = index + 2; next !== undefined && next.kind !== 'item' && next.kind !== 'compacted'; at += 1)
      next = lines[at]
    return next?.kind === 'compacted' && this.#shown.answers.size > 0 && !this.#shown.answers.has(line.id ?? '')
  }

  #takeScreen(line: ScreenLine): void {
    switch (line.shown.type) {
      case 'turn_aborted':
        this.#answered(undefined)
        // The file does not say whether the model had been asked already.
        this.#made({ kind: 'stop', during: 'unknown', ...placed(line) })
        return
      case 'task_complete': {
        this.#answered(undefined)
        const { error } = line.event()
        if (error !== undefined) {
          const { message = 'The request failed.', status } = error
          this.#made({
            kind: 'failure',
            message,
            ...given('status', status),
            afterwards: 'gave up',
            ...placed(line),
          })
        } else this.#made({ kind: 'end', ...placed(line) })
        return
      }
      case 'thread_rolled_back':
        return this.#rollBack(line, line.event().num_turns ?? 1)
      case 'user_message':
      case 'item_completed':
        return this.#takeShownPrompt(line)
      default:
    }
  }

  /** A prompt that was shown on the screen but is in no message. */
  #takeShownPrompt(line: ScreenLine): void {
    const { prompt } = line.shown
    if (prompt === undefined || this.#shown.sent.has(prompt)) return
    const text = shownPrompt(line.event())
    if (text === undefined) return
    this.#answered(undefined)
    this.#made({ kind: 'prompt', by: 'user', text, ...placed(line, idOfLine(line)) })
  }

  #rollBack(line: RolloutLine, turns: number): void {
    this.#answered(undefined)
    const first = this.#items.filter(({ kind }) => kind === 'prompt').at(-turns)
    if (first?.place.id !== undefined) this.#made({ kind: 'rewind', to: first.place.id, ...placed(line) })
  }

  #made(item: ConversationItem): void {
    this.#items.push(this.#taken(item))
  }

  #add(line: ItemLine, part: AnswerPart): void {
    this.#parts.push(part)
    this.#first ??= line
    this.#last = line
  }

  /** Ends the collection of parts: they are one answer. */
  #answered(usage: z.infer<typeof UsageRecord>['usage'] | undefined): void {
    const { meta } = this.#rollout
    if (this.#first === undefined) return
    const model = this.#model === undefined ? {} : { model: `${meta.model_provider ?? 'openai'}/${this.#model}` }
    const item: ImportedAnswer = {
      kind: 'answer',
      content: this.#parts,
      ending: 'whole',
      ...(usage && { usage: usageOf(usage) }),
      ...model,
      place: placed(this.#first, idOfLine(this.#first)).place,
      ...given('at', this.#last?.at),
    }
    this.#made(item)
    this.#parts = []
    this.#first = undefined
    this.#last = undefined
  }

  #result(
    line: ItemLine,
    { call_id: callId, output }: Extract<ResponseItem, { type: 'function_call_output' | 'custom_tool_call_output' }>,
  ): Result {
    const text = outputText(output)
    const shown = this.#shown.outcomes.get(callId)
    return { kind: 'result', callId, outcome: outcomeOf(text, shown), text, ...placed(line) }
  }

  #compaction(line: RolloutLine, { message, replacement_history: history }: z.infer<typeof Compacted>): Compaction {
    const messages = history.flatMap((item) => (item.type === 'message' ? [item] : []))
    const kindOf = (item: (typeof messages)[number]) =>
      item.internal_chat_message_metadata_passthrough?.content_item_kinds ?? []
    const summary =
      messages.findLast((item) => kindOf(item).includes('compaction.summary')) ??
      messages.findLast(({ role }) => role === 'user')
    const keeps = messages
      .flatMap((item) => (item === summary ? [] : (userWords(item) ?? [])))
      .flatMap((words) => (isTyped(words, this.#shown.prompts) ? (this.#prompts.get(words.key) ?? []) : []))
    return { kind: 'compaction', text: (summary && messageText(summary)) ?? message ?? '', keeps, ...placed(line) }
  }
}

function placed({ line, file, at }: RolloutLine, id?: string) {
  return { place: { line, ...given('file', file), ...given('id', id) }, ...given('at', at) }
}

/** Lines of a session and of the sessions it was forked from can have the same number, so the id includes the file. */
function idOfLine({ line, file }: RolloutLine): string {
  return file === undefined ? `line ${line}` : `line ${line} of ${file}`
}
