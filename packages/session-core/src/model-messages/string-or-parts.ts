interface PlainText {
  type: 'text'
  text: string
}

/** Writes a lone text without other fields as a string, the form that every server accepts. */
export function stringOrParts<Part extends { type: string }>(parts: Part[]): string | Part[] {
  const [first] = parts
  return first && parts.length === 1 && isPlainText(first) ? first.text : parts
}

function isPlainText(part: { type: string }): part is PlainText {
  return part.type === 'text' && Object.keys(part).length === 2
}
