import { type StoredText, shownText } from '@loader/session-core'

/** Long texts by the name of their blob, as far as they were read. */
export type Texts = ReadonlyMap<string, string>

/** A long text as far as it is known here. */
export function textIn(texts: Texts, text: StoredText): string {
  if (typeof text === 'string') return text
  return texts.get(text.blob) ?? `${shownText(text)} [${text.bytes} bytes in all]`
}
