import type { FilePart } from '../words/message.ts'
import { type StoredText, utf8Length } from '../words/stored-text.ts'

/** Long texts by the name of their blob, as far as they were fetched. */
export type ShownTexts = ReadonlyMap<string, string>

/** The whole text if it is available, otherwise its beginning and how much is missing. */
export function shownIn(texts: ShownTexts, text: StoredText): string {
  if (typeof text === 'string') return text
  const whole = texts.get(text.blob)
  if (whole !== undefined) return whole
  const missing = text.bytes - utf8Length(text.excerpt.replace(/…$/, ''))
  return `${text.excerpt}\n[${Math.max(missing, 0)} bytes of this text are not shown]`
}

/** The content of a file, unless only the workspace or the store has it. */
export function contentOf(texts: ShownTexts, { source }: FilePart): { url: string } | { base64: string } | undefined {
  switch (source.kind) {
    case 'url':
      return { url: source.url }
    case 'base64': {
      const base64 = typeof source.data === 'string' ? source.data : texts.get(source.data.blob)
      return base64 === undefined ? undefined : { base64 }
    }
    case 'path':
      return undefined
    default:
      return source satisfies never
  }
}

/** A note in place of a file that cannot be sent, so that the model knows of it. */
export function noteOnFile({ name, mediaType, source }: FilePart): string {
  const place = source.kind === 'url' ? source.url : source.kind === 'path' ? source.path : 'not shown'
  return name === undefined ? `[file (${mediaType}): ${place}]` : `[file ${name} (${mediaType}): ${place}]`
}

/** A text, followed by notes on files that cannot be sent beside it. */
export function withNotes(text: string, files: readonly FilePart[]): string {
  return [text, ...files.map(noteOnFile)].filter((line) => line !== '').join('\n')
}
