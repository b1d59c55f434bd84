/**
 * The sentences of a text, as they were written, without those in fenced code. A line break ends a sentence: what is
 * written as a list is read as one.
 */
export function sentencesOf(text: string): string[] {
  return withoutFences(text)
    .split(/\n+|(?<=[.!?…。！？]["'”’)\]]?)\s+/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*•>]|\d+[.)])\s+/, '').trim())
    .filter((sentence) => sentence !== '')
}

function withoutFences(text: string): string {
  return text.includes('```') ? text.replace(/```[\s\S]*?(?:```|$)/g, '\n') : text
}
