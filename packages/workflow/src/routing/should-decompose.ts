import { phrases, saidIn, says } from '../text/phrases.ts'
import { wordsOf } from '../text/words.ts'

const order = phrases({
  exact: ['then, after that, afterwards, first, second, third, next, finally, lastly'],
})
const addition = phrases({
  exact: ['also, additionally, as well as, in addition, furthermore, moreover, plus'],
})
/** A step alone says nothing: footsteps, `step` of a loop, the next step of a form. Several of them are a course. */
const course = phrases({
  exact: [
    'step by step, in steps, multi step, multiple steps, several steps, these steps, following steps, step 1, step one',
    'two steps, three steps, four steps, five steps, 2 steps, 3 steps, 4 steps, 5 steps, 6 steps, 7 steps, 8 steps',
  ],
})

const manyWords = 30

/** Whether a message asks for several things that could be done one by one. */
export function shouldDecompose(text: string): boolean {
  const words = wordsOf(text)
  if (words.length > manyWords || says(words, course)) return true
  return saidIn(words, order).size + saidIn(words, addition).size + listItems(text) >= 2
}

function listItems(text: string): number {
  return text.match(/^[^\S\n]*(?:[-*]|\d+[.)])[^\S\n]+\S/gm)?.length ?? 0
}
