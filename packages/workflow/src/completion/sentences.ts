/** The sentences of a text without fenced code; a line break ends one, what is listed begins one. */
export function sentencesOf(text: string): string[] {
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split(/\n+|(?<=[.!?…]["'”’)\]]?)\s+/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*•>#]+|\d+[.)])\s+/, '').trim())
    .filter((sentence) => sentence !== '')
}
