import { hasConcreteAnchor } from '../text/has-concrete-anchor.ts'
import { phrases, says } from '../text/phrases.ts'
import { score } from './score.ts'
import { wordsOf } from '../text/words.ts'

const deep = phrases({
  exact: ['persistent'],
  nouns: ['architecture, workflow, deep dive, implementation plan, verification plan'],
  verbs: ['refactor, migrate, report'],
})
const longTask = 18
const veryLongTask = 30

/** How complex a task is, from 0 to 1. */
export function complexityOf(text: string): number {
  const words = wordsOf(text)
  return score(
    (words.length >= longTask ? 0.2 : 0) +
      (words.length >= veryLongTask ? 0.15 : 0) +
      (says(words, deep) ? 0.3 : 0) +
      (isEnumeration(text, words) ? 0.15 : 0) +
      (hasConcreteAnchor(text) ? 0.1 : 0),
  )
}

/** A comma inside a number is not a separator. */
function isEnumeration(text: string, words: readonly string[]): boolean {
  const commas = text.match(/,(?!\d)/g) ?? []
  return commas.length >= 2 || words.filter((word) => word === 'and').length >= 2
}
