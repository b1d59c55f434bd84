import { type StoredText, shownText } from '@loader/session-core'

/** Long texts by blob name, as far as they were read. */
export type Texts = ReadonlyMap<string, string>

/** The full text if it was read, else its excerpt. */
export function textIn(texts: Texts, text: StoredText): string {
  if (typeof text === 'string') return text
  return texts.get(text.blob) ?? `${shownText(text)} [${text.bytes} bytes in all]`
}
