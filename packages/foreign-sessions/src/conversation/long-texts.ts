import { type AnswerPart, excerptOf, type FilePart, isLong, type StoredText, utf8Length } from '@loader/session-core'
import type { Conversation, ConversationItem } from './conversation.ts'

/** The conversation with its long texts apart, under names of their own. */
export function withLongTextsApart(conversation: Conversation): {
  conversation: Conversation
  blobs: Map<string, string>
} {
  const blobs = new Map<string, string>()
  const apart = (text: StoredText): StoredText => {
    if (typeof text !== 'string' || !isLong(text)) return text
    const blob = `text ${blobs.size + 1}`
    blobs.set(blob, text)
    return { blob, bytes: utf8Length(text), excerpt: excerptOf(text) }
  }
  const file = (part: FilePart): FilePart =>
    part.source.kind === 'base64' ? { ...part, source: { kind: 'base64', data: apart(part.source.data) } } : part
  const items = conversation.items.map((item) => itemApart(item, apart, file))
  return { conversation: { ...conversation, items }, blobs }
}

type Apart = (text: StoredText) => StoredText

function itemApart(item: ConversationItem, apart: Apart, file: (part: FilePart) => FilePart): ConversationItem {
  switch (item.kind) {
    case 'prompt':
    case 'result':
      return { ...item, text: apart(item.text), ...(item.files && { files: item.files.map(file) }) }
    case 'compaction':
      return { ...item, text: apart(item.text) }
    case 'answer':
      // What was cut off is kept as it arrived: in events, and those are short.
      return item.ending === 'cut off'
        ? item
        : { ...item, content: item.content.map((part) => partApart(part, apart, file)) }
    case 'failure':
    case 'stop':
    case 'end':
    case 'rewind':
    case 'fact':
      return item
    default:
      return item satisfies never
  }
}

function partApart(part: AnswerPart, apart: Apart, file: (part: FilePart) => FilePart): AnswerPart {
  if (part.type === 'file') return file(part)
  return part.type === 'call' ? part : { ...part, text: apart(part.text) }
}
