import { phrases, says } from '../text/phrases.ts'
import { wordsOf } from '../text/words.ts'

const pastVerbs = new Set(
  (
    'created added implemented wrote written updated fixed removed deleted ran verified tested built made moved renamed ' +
    'refactored replaced installed configured introduced extracted changed completed finished done already'
  ).split(' '),
)
const passive = phrases({
  exact: ['has been, have been, was already, were already, is already, are already, already done'],
})
/** A step that begins with one of these describes a future state or a check. */
const conditions = new Set('check verify ensure confirm make test if once after when until wait'.split(' '))

/** Whether a step describes finished work instead of work to do. */
export function isPastWork(step: string): boolean {
  if (/^\s*(?:\[[xX]\]|[✓✔✅☑])/u.test(step)) return true
  const [first = ''] = /^[^\p{L}]*(\p{L}+)(?![-\w])/u.exec(step)?.slice(1) ?? []
  if (pastVerbs.has(first.toLowerCase())) return true
  const words = wordsOf(step)
  return says(words, passive) && !conditions.has(words[0] ?? '')
}
