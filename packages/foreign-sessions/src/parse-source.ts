import { LoaderError } from '@loader/session-core'
import { parseClaude } from './claude/claude.ts'
import { parseCodex } from './codex/codex.ts'
import type { ImportedConversation, ConversationItem, TakeItem } from './conversation/conversation.ts'
import { onShelf } from './conversation/on-shelf.ts'
import type { TextShelf } from './conversation/text-shelf.ts'
import type { SourceKind } from './detect.ts'
import { parseGemini } from './gemini/gemini.ts'
import { parseOpencode } from './opencode/opencode.ts'
import { parsePi } from './pi/pi.ts'
import { parseSessionState } from './session-state/session-state.ts'
import type { SourceFile } from './source/source-file.ts'
import { parseStreaming } from './streaming/streaming.ts'

/**
 * The conversation in a file of another program, with its texts on the shelf. Refused when it contains no valid record.
 */
export function parseSource(
  kind: Exclude<SourceKind, 'loader'>,
  file: SourceFile,
  shelf?: TextShelf,
): ImportedConversation {
  const take: TakeItem = (item) => {
    const told = withOutcomeTold(item)
    return shelf === undefined ? told : onShelf(told, shelf)
  }
  const conversation = parserOf(kind)(file, take)
  const { items, waiting = [] } = conversation
  if (
    items.some(({ kind: what }) => what === 'prompt' || what === 'answer' || what === 'compaction') ||
    waiting.length > 0
  ) {
    return conversation
  }
  throw new LoaderError(
    'invalid_message',
    `${file.path} holds no conversation that can be read as one of ${kind}. Nothing was imported; say with --from what it is.`,
  )
}

function parserOf(kind: Exclude<SourceKind, 'loader'>): (file: SourceFile, take: TakeItem) => ImportedConversation {
  switch (kind) {
    case 'claude':
      return parseClaude
    case 'codex':
      return parseCodex
    case 'gemini':
      return parseGemini
    case 'pi':
      return parsePi
    case 'opencode':
      return parseOpencode
    case 'session-state':
      return parseSessionState
    case 'streaming':
      return parseStreaming
    default:
      return kind satisfies never
  }
}

const told = {
  interrupted: 'This call was interrupted. It is not known whether it took effect, or how far.',
  unknown: 'It is not known what became of this call, and whether it took effect.',
} as const

/** Puts a note in front of uncertain results: some programs claim without a check that a call had no effect. */
function withOutcomeTold(item: ConversationItem): ConversationItem {
  if (item.kind !== 'result' || typeof item.text !== 'string') return item
  if (item.outcome !== 'interrupted' && item.outcome !== 'unknown') return item
  const words = item.text.trim() === '' ? '' : `\n\nThe other program wrote:\n${item.text}`
  return { ...item, text: `${told[item.outcome]}${words}` }
}
