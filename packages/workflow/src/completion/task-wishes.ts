import { wordSet } from '../goal/word-set.ts'
import { wordsOf } from '../routing/words.ts'
import { sentencesOf } from './sentences.ts'

/** What a task asks for, by its words. */
export interface TaskWishes {
  /** An answer in words is all that it wants. */
  readonly informational: boolean
  /** Something is to be done; to run something is done with running it, however that ends. */
  readonly action: 'none' | 'run' | 'work'
  readonly install: boolean
  /** What is done is to be tried out as well. */
  readonly verification: boolean
  /** More than a few steps. */
  readonly complex: boolean
}

const informing =
  /^(?:explain|describe|summari[sz]e|compare|outline|review|analy[sz]e|what|what's|why|how|how's|when|where|where's|which|who|who's|whose)$/
const question = /^(?:is|are|was|were|does|do|did|has|have|had|am)$/
/** What stands before the verb of a request. */
const courtesies = [
  'please, now, then, also, just, and, next, first, finally, afterwards, so, but, ok, okay, can you, could you',
  "would you, will you, i want you to, i need you to, i'd like you to, you should, you need to, you must, we need to",
  "we should, let's, let us, go ahead, help me, try to, to",
].flatMap((line) => line.split(', ').map((phrase) => phrase.split(' ')))
const doing = wordSet(
  'create write make edit fix add delete run remove rename move implement update change modify replace',
  'refactor install build generate convert migrate apply configure insert append execute upgrade bump',
  'revert commit copy save repair scaffold rewrite extend enable disable correct improve translate port',
  'publish',
)
const trying = wordSet('run execute test verify validate check')
const wanting =
  /^(?:i|we) (?:need|want|would like) (?:a|an|the|some|this|these|it|you)\b|^(?:i'd|we'd) like (?:a|an|the|some)\b/
const manySteps =
  /\b(?:scaffold|from scratch|(?:create|build|start|set up|make) an? (?:new |full |whole |complete |\w+ )?(?:project|app|application|website))\b/

/** On words and clauses, so that neither `address` nor `how to create` asks for anything to be done. */
export function taskWishes(task: string): TaskWishes {
  const sentences = sentencesOf(task)
  const clauses = sentences.flatMap(requestsIn)
  const verbs = clauses.map(verbOf)
  const install = clauses.some(installsSomething)
  const works =
    install ||
    verbs.some((verb) => doing.has(verb) && !trying.has(verb)) ||
    sentences.some((sentence) => wanting.test(plain(sentence)))
  const tries = verbs.some((verb) => trying.has(verb)) || clauses.some(makesSure)
  const runs = verbs.some((verb) => doing.has(verb))
  const action = works ? 'work' : runs ? 'run' : 'none'
  return {
    informational: action === 'none' && !tries && sentences.some(asksForWords),
    action,
    install,
    verification: works && tries,
    complex: manySteps.test(plain(task)),
  }
}

function asksForWords(sentence: string): boolean {
  const [first = '', second = ''] = wordsOf(sentence)
  return informing.test(first) || question.test(first) || (first === 'tell' && (second === 'me' || second === 'us'))
}

/** The clauses of a sentence that ask for something, from their verb on. What a question is about asks for nothing. */
function requestsIn(sentence: string): string[][] {
  const clauses = sentence
    .split(/[,;:]\s+|\s+(?=(?:and|then|but|so|please)\s)/i)
    .map((clause) => wordsOf(clause))
    .filter((words) => words.length > 0)
  const asked = asksForWords(sentence) ? followUps(sentence, clauses) : clauses
  return asked.map(withoutCourtesies).filter((words) => words.length > 0)
}

/** `Explain the bug and fix it` asks for a fix; `Explain how to create and run it` does not. */
function followUps(sentence: string, clauses: readonly string[][]): string[][] {
  const wholly = /\b(?:how|what|why|when|where|which|who|whether|ways? to|steps? to)\b/i.test(sentence)
  const start = wholly ? clauses.findIndex((words, index) => index > 0 && words.slice(0, 2).includes('then')) : 1
  return start < 0 ? [] : clauses.slice(start)
}

function withoutCourtesies(words: readonly string[]): string[] {
  let start = 0
  for (let length = courtesyAt(words, 0); length > 0; length = courtesyAt(words, start)) start += length
  return words.slice(start)
}

/** How many words of courtesy stand there. */
function courtesyAt(words: readonly string[], start: number): number {
  return courtesies.find((phrase) => phrase.every((word, index) => words[start + index] === word))?.length ?? 0
}

function installsSomething([first, second, ...rest]: readonly string[]): boolean {
  if (first === 'install') return true
  return (
    first === 'set' &&
    second === 'up' &&
    rest.some((word) => /^(?:project|environment|dependencies|workspace)$/.test(word))
  )
}

function makesSure([first, second]: readonly string[]): boolean {
  return first === 'ensure' || (first === 'make' && second === 'sure')
}

function verbOf([first = '', second = '']: readonly string[]): string {
  return first === 'make' && (second === 'sure' || second === 'sense') ? '' : first
}

function plain(text: string): string {
  return wordsOf(text).join(' ')
}
