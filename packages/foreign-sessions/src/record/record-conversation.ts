import type { EventInput, SessionEvent } from '@loader/session-core'
import type { ImportedConversation, ConversationItem } from '../conversation/conversation.ts'
import { pairResults } from '../conversation/pair-results.ts'
import { textAtHand } from '../conversation/text-shelf.ts'
import { EventDraft, type DraftOptions } from './draft.ts'
import { TurnRecorder } from './turn-recorder.ts'

interface RecordOptions extends DraftOptions {
  /** A title from the user; default: that of the source. */
  readonly title?: string
  /** The file that was read, so that it can be compared later. */
  readonly origin: { readonly path: string; readonly bytes: number; readonly digest: string }
}

interface RecordedConversation {
  readonly events: readonly SessionEvent[]
  readonly losses: readonly string[]
}

/**
 * The conversation as the history of a session that can be continued.
 *
 * The history contains no evidence: no hashes, checks or verdicts. Policy, goals and rules are the user's consent to
 * another program, and are not taken over. Pure.
 */
export function recordConversation(conversation: ImportedConversation, options: RecordOptions): RecordedConversation {
  const { items, waiting = [], title } = conversation
  const draft = new EventDraft(conversation, options)
  const results = pairResults(items)
  const turns = new TurnRecorder(draft, results)
  for (const item of withJoinedPrompts(items)) recordItem(item, draft, turns)
  turns.finish()
  for (const { text, at } of waiting) {
    draft.passTo(at)
    draft.record({ type: 'input.queued', inputId: draft.newId('in'), text })
  }
  const { importedAt, title: chosen = title?.text } = options
  const by = options.title === undefined ? (title?.by ?? 'user') : 'user'
  const losses = lossesOf(conversation, results)
  draft.passTo(importedAt)
  if (chosen !== undefined && chosen.trim() !== '') draft.record({ type: 'session.titled', title: chosen.trim(), by })
  draft.record(importedEvent(conversation, losses, options))
  return { events: draft.events, losses }
}

/** Joins text that a program adds before any answer to the preceding prompt. */
function withJoinedPrompts(items: readonly ConversationItem[]): ConversationItem[] {
  const joined: ConversationItem[] = []
  for (const item of items) {
    const last = joined.at(-1)
    const adds = item.kind === 'prompt' && item.by === 'program' && last?.kind === 'prompt'
    const [before, behind] = adds ? [textAtHand(last.text), textAtHand(item.text)] : []
    if (last?.kind === 'prompt' && before !== undefined && behind !== undefined) {
      joined.splice(-1, 1, { ...last, text: `${before}\n\n${behind}` })
    } else joined.push(item)
  }
  return joined
}

function recordItem(item: ConversationItem, draft: EventDraft, turns: TurnRecorder): void {
  switch (item.kind) {
    case 'prompt':
      return turns.prompt(item)
    case 'answer':
      return turns.answer(item)
    case 'result':
      // A result is recorded together with its call.
      return
    case 'compaction':
      return turns.compaction(item)
    case 'failure':
      return turns.failure(item)
    case 'stop':
      return turns.stop(item)
    case 'end':
      draft.passTo(item.at)
      return turns.end()
    case 'rewind':
      return turns.rewind(item)
    case 'fact':
      draft.passTo(item.at)
      draft.record(item.input)
      return
    default:
      return item satisfies never
  }
}

/** An event with its source position, in addition to the fields that the event itself has. */
function importedEvent(
  { source, task, usage, records, branches }: ImportedConversation,
  losses: readonly string[],
  { origin }: RecordOptions,
): EventInput {
  const { kind, id, version, forkedFrom } = source
  const from = {
    kind,
    ...(id !== undefined && { id }),
    path: origin.path,
    ...(version !== undefined && { version }),
    ...(forkedFrom !== undefined && { forkedFrom }),
    bytes: origin.bytes,
    digest: origin.digest,
  }
  const event = {
    type: 'session.imported' as const,
    source: from,
    messages: [],
    ...(task !== undefined && { task }),
    ...(usage && { usage }),
    losses: [...losses],
    records,
    branches,
  }
  return event
}

function lossesOf(
  { losses, records, branches }: ImportedConversation,
  { disputed, orphans }: ReturnType<typeof pairResults>,
): string[] {
  const skipped = Object.entries(records.skipped).map(([what, times]) => `${times} x ${what}`)
  return [
    ...losses,
    ...(branches === 0 ? [] : [`Branches that were left, ${branches} in all, were not taken over.`]),
    ...(orphans === 0 ? [] : [`Results without their calls, ${orphans} in all, were not taken over.`]),
    ...disputed,
    ...(skipped.length === 0
      ? []
      : [`Records that are no part of the conversation were left out: ${skipped.join(', ')}.`]),
  ]
}
