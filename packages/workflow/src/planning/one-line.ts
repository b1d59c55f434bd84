/** A text without line breaks, so that it stays one item of a list. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Items as a list in markdown. */
export function bulleted(items: readonly string[]): string[] {
  return items.map((item) => `- ${oneLine(item)}`)
}
