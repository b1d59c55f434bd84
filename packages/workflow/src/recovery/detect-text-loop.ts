import { wordsOf } from '../text/words.ts'

export type TextLoop =
  | { readonly looping: false; readonly code: 'text_loop_not_detected' }
  | { readonly looping: true; readonly code: 'text_loop_bailout'; readonly why: string }

const recalled = 5
const compared = 3
const overlapping = 0.85
const fewWords = 10

/** Phrases that models use when they loop. A single use means nothing. */
const stock = [
  'i apologize for the confusion',
  'i apologize for the inconvenience',
  "i'm sorry for the confusion",
  'let me try again',
  'let me try a different approach',
  'let me know if you have any questions',
  'as an ai language model',
  'i understand your frustration',
  'thank you for your patience',
]

/**
 * Whether an answer repeats earlier ones of the turn: it equals two of the last five, shares a stock phrase with two of
 * them, or shares nearly all of its words with two of the last three.
 */
export function detectTextLoop(answer: string, earlier: readonly string[]): TextLoop {
  const before = earlier.slice(-recalled)
  if (before.length < 2) return notLooping
  const same = normalized(answer)
  if (atLeastTwo(before, (other) => normalized(other) === same)) return looping('the same answer for the third time')
  const phrase = stock.find((each) => says(answer, each) && atLeastTwo(before, (other) => says(other, each)))
  if (phrase !== undefined) return looping(`"${phrase}" for the third time`)
  if (atLeastTwo(before.slice(-compared), (other) => sharesWords(answer, other))) {
    return looping('nearly the same words for the third time')
  }
  return notLooping
}

const notLooping: TextLoop = { looping: false, code: 'text_loop_not_detected' }

function looping(why: string): TextLoop {
  return { looping: true, code: 'text_loop_bailout', why }
}

function atLeastTwo(texts: readonly string[], fits: (text: string) => boolean): boolean {
  return texts.filter(fits).length >= 2
}

/** The beginning of a text, without file names and numbers. */
function normalized(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
    .replace(/(?:[\w.~-]*\/)+[\w.-]*|\b[\w-]+\.\w{1,5}\b/g, '<path>')
    .replace(/\d+/g, '<number>')
}

function says(text: string, phrase: string): boolean {
  return ` ${wordsOf(text).join(' ')} `.includes(` ${phrase} `)
}

function sharesWords(first: string, second: string): boolean {
  const [words, others] = [wordsOf(first), wordsOf(second)]
  if (words.length <= fewWords || others.length <= fewWords) return false
  const [set, otherSet] = [new Set(words), new Set(others)]
  const shared = [...set].filter((word) => otherSet.has(word)).length
  return shared / new Set([...set, ...otherSet]).size > overlapping
}
