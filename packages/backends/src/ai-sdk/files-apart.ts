import type { FilePart, Message, Part } from '@loader/session-core'

/**
 * An exchange whose results contain only text; the files of the results follow in a user message. Chat completions
 * accept images only from the user: in a result they would be a text of thousands of characters.
 */
export function withFilesApart(exchange: readonly Message[]): readonly Message[] {
  const files = exchange.flatMap(({ content }) => content.flatMap(filesOf))
  const last = exchange.at(-1)
  if (files.length === 0 || last === undefined) return exchange
  const plain = exchange.map((message) => ({ ...message, content: message.content.map(withoutFiles) }))
  const text = files.length === 1 ? '[The file of the result above]' : '[The files of the results above]'
  return [
    ...plain,
    { id: last.id, role: 'user', origin: 'note', at: last.at, content: [{ type: 'text', text }, ...files] },
  ]
}

function filesOf(part: Part): readonly FilePart[] {
  return part.type === 'result' ? (part.files ?? []) : []
}

function withoutFiles(part: Part): Part {
  if (part.type !== 'result' || part.files === undefined) return part
  const { files: _apart, ...result } = part
  return result
}
