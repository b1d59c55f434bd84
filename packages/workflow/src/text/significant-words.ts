import { wordsOf } from './words.ts'

const stopWords = new Set(
  (
    'the and for that this with from into onto over under have has had will would shall should must can could may ' +
    'might not but are was were been being its his her their our your you they them she him who whom which what when ' +
    'where why how all any each every some such than then there here also only just more most very out off per via ' +
    'about after before between because while until upon within without does did done doing let lets'
  ).split(' '),
)

/** The distinct words of a text that are longer than two letters and are not mere function words. */
export function significantWords(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).filter((word) => word.length > 2 && !stopWords.has(word)))
}
