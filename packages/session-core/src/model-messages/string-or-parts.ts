interface PlainText {
  type: 'text'
  text: string
}

/** One text that says nothing beyond itself is written as a string, the form that every server takes. */
export function stringOrParts<Part extends { type: string }>(parts: Part[]): string | Part[] {
  const [first] = parts
  return first && parts.length === 1 && isPlainText(first) ? first.text : parts
}

function isPlainText(part: { type: string }): part is PlainText {
  return part.type === 'text' && Object.keys(part).length === 2
}
