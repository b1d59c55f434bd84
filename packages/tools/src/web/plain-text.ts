/**
 * Invisible characters: controls, marks of direction, joiners of nothing, private ones, and the tags and selectors in
 * which text can be hidden from people and shown to models.
 */
const unseen = /[^\P{C}\n\t]|[\u2028\u2029]|[\u{E0100}-\u{E01EF}]/gu

/** The text as people see it. */
export function visible(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(unseen, '')
}

/** Decodes a page by what its header or, for HTML, its beginning says; else as UTF-8. */
export function decoded(bytes: Uint8Array, charset: string | undefined, isHtml: boolean): string {
  const beginning = isHtml && charset === undefined ? Buffer.from(bytes.subarray(0, 2048)).toString('latin1') : ''
  const [, said] = /<meta[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i.exec(beginning) ?? []
  try {
    return new TextDecoder(charset ?? said ?? 'utf-8').decode(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return new TextDecoder().decode(bytes)
  }
}
