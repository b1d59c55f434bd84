import { excerptOf, type Message, textOf } from '@loader/session-core'
import { saidByUser } from './said-by-user.ts'
import { sentencesOf } from './sentences.ts'

/** Words that forbid or require permanently. They match as whole words: `add` is not in `address`. */
const strict = [
  /\b(?:must|shall|never|always|don't|dont|do not|mustn't|shouldn't|should not|cannot|can't|can not|won't)\b/,
  /\b(?:forbid|forbids|forbidden|prohibited|mandatory|required|under no circumstances|in any case|hands off)\b/,
  /\b(?:avoid|no longer|make sure|ensure|insist|may not|not allowed|not permitted|not ok|not okay)\b/,
  /^(?:no|not|never|keep|leave|stop)\b/,
]
/** Words that may do so, or may only limit something in passing. */
const loose = [
  /\b(?:only|without|should|require|requires|allowed|permitted|except|unless|instead of|rather than)\b/,
  /\b(?:at most|at least|no more than|not more than|no less than|be sure|be careful|take care|stick to)\b/,
  /\b(?:have to|has to|need to|needs to|are not to|is not to)\b/,
  /^(?:prefer|use|please (?:no|keep|use|leave|stop))\b/,
]

const longest = 600

/** Sentences in which the user requires or forbids something, literally, oldest first. */
export function constraintsIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
    // System messages of an imported conversation consist of instructions, so every sentence counts.
    if (message.role === 'system') return sentencesOf(textOf(message.content)).map(shortened)
    if (!saidByUser(message)) return []
    return sentencesOf(textOf(message.content)).filter(isConstraint).map(shortened)
  })
}

/**
 * As many distinct sentences as fit, in the given order: strict ones are preferred to loose ones, and newer to older.
 */
export function withinBudget(sentences: readonly string[], characters: number): string[] {
  const said = new Set<string>()
  const newestFirst = sentences.toReversed().filter((sentence) => {
    const isNew = !said.has(sentence.toLowerCase())
    said.add(sentence.toLowerCase())
    return isNew
  })
  const chosen = new Set<string>()
  let left = characters
  const chooseIf = (isWanted: (sentence: string) => boolean) => {
    for (const sentence of newestFirst) {
      if (sentence.length > left || chosen.has(sentence) || !isWanted(sentence)) continue
      chosen.add(sentence)
      left -= sentence.length
    }
  }
  chooseIf(isStrict)
  chooseIf(() => true)
  return newestFirst.filter((sentence) => chosen.has(sentence)).toReversed()
}

function isConstraint(sentence: string): boolean {
  const words = inPlainWords(sentence)
  return strict.some((pattern) => pattern.test(words)) || loose.some((pattern) => pattern.test(words))
}

function isStrict(sentence: string): boolean {
  const words = inPlainWords(sentence)
  return strict.some((pattern) => pattern.test(words))
}

function inPlainWords(sentence: string): string {
  return sentence.toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ')
}

function shortened(sentence: string): string {
  return sentence.length <= longest ? sentence : excerptOf(sentence, longest)
}
