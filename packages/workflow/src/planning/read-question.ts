const longest = 500
/** Only the beginning of an answer is searched for a question. */
const longestLook = 8000

/** The first sentence that begins with a capital letter and ends in a question mark; null if there is none. */
export function readQuestion(text: string): string | null {
  const prose = text.slice(0, longestLook).replace(/```[\s\S]*?(?:```|$)/g, '\n')
  const sentences = prose.split(
    /\n\s*\n|\n(?=\s*(?:[-*+•]|\d+[.)]|#+)\s)|(?<=[.!?…。！？]["'”’)\]*_]{0,4})\s+|(?<=[。！？])/u,
  )
  for (const sentence of sentences) {
    const said = sentence
      .replace(/^[\s>#]*(?:(?:[-*+•]|\d+[.)])\s+)?["'“‘([*_]*/u, '')
      .replace(/^(?:Clarifying )?Question\s*\d*\s*[:.)][\s*_]*/i, '')
      .replace(/["'”’)\]*_\s]+$/u, '')
      .replace(/\s+/g, ' ')
    if (/^[\p{Lu}\p{Lt}\p{Lo}].*[?？]$/u.test(said) && said.length <= longest) return said
  }
  return null
}
