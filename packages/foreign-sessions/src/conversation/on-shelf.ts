import type { AnswerPart, FilePart, StoredText } from '@loader/session-core'
import type { ConversationItem } from './conversation.ts'
import type { TextShelf } from './text-shelf.ts'

/** The item with its texts moved to a shelf. */
export function onShelf(item: ConversationItem, shelf: TextShelf): ConversationItem {
  const put = (text: StoredText) => shelf.put(text)
  const file = (part: FilePart): FilePart =>
    part.source.kind === 'base64' ? { ...part, source: { kind: 'base64', data: put(part.source.data) } } : part
  switch (item.kind) {
    case 'prompt':
    case 'result':
      return { ...item, text: put(item.text), ...(item.files && { files: item.files.map(file) }) }
    case 'compaction':
      return { ...item, text: put(item.text) }
    case 'answer':
      // A partial answer keeps its texts: it becomes several events, whose texts are short.
      return item.ending === 'cut off'
        ? item
        : { ...item, content: item.content.map((part) => partOnShelf(part, put, file)) }
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

function partOnShelf(
  part: AnswerPart,
  put: (text: StoredText) => StoredText,
  file: (part: FilePart) => FilePart,
): AnswerPart {
  if (part.type === 'file') return file(part)
  return part.type === 'call' ? part : { ...part, text: put(part.text) }
}
