import { hasConcreteAnchor } from '../text/has-concrete-anchor.ts'
import { phrases, says } from '../text/phrases.ts'
import { score } from './score.ts'
import { wordsOf } from '../text/words.ts'

const wantsQuestions = phrases({
  exact: ["don't assume, dont assume, do not assume, not sure, figure out, interview me, ask me"],
})
const wantsNone = phrases({
  exact: ["don't ask me, dont ask me, do not ask me, never ask me", "don't interview me, do not interview me"],
})
const vague = phrases({
  exact: ['something, somehow, better, fix this, make it, more like'],
  nouns: ['improvement'],
  verbs: ['improve'],
})
const building = phrases({ verbs: ['build, add, improve, refactor, implement'] })
const shortTask = 12

/** How unclear a task is, from 0 to 1. */
export function ambiguityOf(text: string): number {
  const words = wordsOf(text)
  return score(
    (asksForQuestions(text, words) ? 0.65 : 0) +
      (says(words, vague) ? 0.2 : 0) +
      (hasConcreteAnchor(text) ? 0 : 0.2) +
      (words.length <= shortTask && says(words, building) ? 0.15 : 0),
  )
}

function asksForQuestions(text: string, words: readonly string[]): boolean {
  if (/(?:^|\s)--clarify(?![\w-])/i.test(text) || /^\s*clarify\s+\S/i.test(text)) return true
  return says(words, wantsQuestions) && !says(words, wantsNone)
}
