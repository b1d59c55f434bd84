/**
 * The sentences of a text, literally, without fenced code. A line break ends a sentence, so that items of a list stay
 * separate.
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
