import { LoaderError, type AnswerPart, type Usage } from '@loader/session-core'
import type { ImportedConversation, ConversationItem, Prompt, TakeItem } from '../conversation/conversation.ts'
import { documentIn } from '../source/document.ts'
import { given, timeOf } from '../source/loose.ts'
import type { SourceFile } from '../source/source-file.ts'
import { factsOf, legacyTraceOf } from './facts.ts'
import { type StateMessage, StateSnapshot } from './records.ts'

/** A snapshot of the older Loader: one JSON document, rewritten at every change. */
export function parseSessionState(file: SourceFile, take: TakeItem): ImportedConversation {
  const { path } = file
  const snapshot = StateSnapshot.safeParse(documentIn(file)).data
  if (snapshot === undefined) {
    throw new LoaderError(
      'invalid_message',
      `${path} is not a snapshot of a session: it lacks session_id, created_at or updated_at.`,
    )
  }
  const { session_id: id, version, created_at, messages, current_task: task } = snapshot
  const items = messages.flatMap((message, index) => itemsOf(message, index))
  const facts = factsOf(snapshot)
  return {
    source: { kind: 'session-state', id, ...given('version', version === undefined ? undefined : String(version)) },
    ...given('startedAt', timeOf(created_at)),
    // Decisions come after all messages, because messages in these snapshots have no times.
    items: [...items, ...ended(snapshot), ...facts].map(take),
    ...given('task', task),
    ...given('usage', usageOf(snapshot.usage)),
    legacyTrace: legacyTraceOf(snapshot),
    records: { read: messages.length, understood: items.length === 0 ? 0 : messages.length, skipped: {} },
    branches: 0,
    losses: [
      'Permission mode and rules, and the definition of done, are not taken over.',
      'Messages have the time at which the session was made: the snapshot does not tell theirs.',
    ],
  }
}

/** Ends the last turn, unless it was interrupted. */
function ended({ active_turn_phase: phase, updated_at }: StateSnapshot): ConversationItem[] {
  const placed = { place: { line: 0 }, ...given('at', timeOf(updated_at)) }
  return [phase ? { kind: 'stop', during: 'unknown', ...placed } : { kind: 'end', ...placed }]
}

function itemsOf(message: StateMessage, index: number): ConversationItem[] {
  const { role, content, tool_calls: calls, tool_results: results } = message
  const place = { line: index + 1, id: `messages[${index}]` }
  switch (role) {
    case 'user':
      return content.trim() === '' ? [] : [promptOf(content, place)]
    case 'assistant': {
      const made = calls.map(({ id, name, arguments: input }): AnswerPart => ({
        type: 'call',
        call: { id, name, input },
      }))
      return [{ kind: 'answer', content: [{ type: 'text', text: content }, ...made], ending: 'whole', place }]
    }
    case 'tool':
      return results.map((result) => ({
        kind: 'result',
        callId: result.tool_call_id,
        outcome: result.is_error === true ? 'failed' : 'ok',
        text: result.content,
        place,
      }))
    default:
      return []
  }
}

const summaryMark = '[COMPACTED CONTEXT]'
const interruption = /^\[USER INTERRUPTION\]:\s*/
/** Text that the runtime sends to the model with the role `user`. */
const ofRuntime = /^(?:\[[A-Z][A-Za-z -]+[\]:-]|Observation \[)/

function promptOf(content: string, place: Prompt['place']): ConversationItem {
  if (content.startsWith(summaryMark)) return { kind: 'compaction', text: content, keeps: [], place }
  if (interruption.test(content)) {
    return { kind: 'prompt', by: 'user', joins: 'open turn', text: content.replace(interruption, ''), place }
  }
  return { kind: 'prompt', by: ofRuntime.test(content) ? 'program' : 'user', text: content, place }
}

const tokenNames: Readonly<Record<string, keyof Usage>> = {
  prompt_tokens: 'inputTokens',
  input_tokens: 'inputTokens',
  completion_tokens: 'outputTokens',
  output_tokens: 'outputTokens',
  cache_creation_tokens: 'cacheWriteTokens',
  cache_read_tokens: 'cacheReadTokens',
}

function usageOf(usage: StateSnapshot['usage']): Usage | undefined {
  const sums: Partial<Record<keyof Usage, number>> = {}
  for (const [name, amount] of Object.entries(usage ?? {})) {
    const key = tokenNames[name]
    if (key !== undefined && typeof amount === 'number' && amount >= 0)
      sums[key] = (sums[key] ?? 0) + Math.round(amount)
  }
  return Object.keys(sums).length === 0 ? undefined : sums
}
