/** The words of a text in lower case, without punctuation. Only whole words match: `add` is not in `address`. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(/[‘’]/g, "'")
      .match(/[\p{L}\p{M}\p{N}_]+(?:'[\p{L}\p{M}\p{N}_]+)*/gu) ?? []
  )
}

/** Whether these words occur next to each other in that order. */
export function containsWords(words: readonly string[], part: readonly string[]): boolean {
  return words.some((_, start) => part.every((word, offset) => words[start + offset] === word))
}
