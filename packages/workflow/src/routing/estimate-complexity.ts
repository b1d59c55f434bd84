import { isConversational } from './is-conversational.ts'
import { phrases, saidIn } from '../text/phrases.ts'
import { wordsOf } from '../text/words.ts'

export type TaskComplexity = 'trivial' | 'simple' | 'moderate' | 'complex'

const demanding = phrases({
  verbs: ['refactor, migrate, redesign, rewrite, integrate, implement, optimize, optimise, parallelize'],
  nouns: ['architecture, system, framework, database, pipeline, service, migration, integration, api'],
  exact: ['authentication, authorization, concurrency, performance, security, end to end, full stack'],
})
const modest = phrases({
  verbs: ['read, show, list, print, rename, create, add, delete, remove, explain, open, count'],
  nouns: ['typo, comment'],
  exact: ["what is, what's, where is"],
})

const fewWords = 5
const manyWords = 50
const modestWords = 20

/** How much a message asks for, by its words. */
export function estimateComplexity(text: string): TaskComplexity {
  const words = wordsOf(text)
  if (words.length < fewWords || isConversational(text)) return 'trivial'
  if (words.length > manyWords || saidIn(words, demanding).size >= 2) return 'complex'
  return words.length < modestWords && saidIn(words, modest).size > 0 ? 'simple' : 'moderate'
}
