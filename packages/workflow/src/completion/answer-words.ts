import { wordsOf } from '../routing/words.ts'
import { sentencesOf } from './sentences.ts'

const negated =
  /\b(?:not|no|never|none|nothing|without|unable|cannot|can't|couldn't|don't|doesn't|didn't|isn't|wasn't|haven't|hasn't|won't|failed|fails|fail|failing|remaining|remains|still|yet|partially|partly|if|once|unless|until|will|should|would|could|might|may)\b/
const accomplished =
  /\b(?:done|complete|completed|finished|ready|fixed|implemented|created|added|updated|removed|deleted|renamed|written|wrote|refactored|resolved|solved|passes|passing|pass|passed|works|working|verified|all set|in place)\b/
const handingBack =
  /\byou (?:can|could|should|may|might|will need to|need to|must|have to|just need to|only need to)(?: now| then| also)? (?:run|create|write|add|edit|execute|install|copy|paste|save|make|replace|update|change|delete|remove|open|put|apply|test|try|do)\b|^(?:then |now |next |first )?(?:please )?(?:run|execute|copy|paste|save|try running) (?:the following|this|these|it|that)\b/
const needless =
  /\b(?:no (?:changes?|edits?|action|fix|modifications?|work) (?:is |are |was |were )?(?:needed|required|necessary)|nothing (?:needs? to|needed to|has to|had to|to) (?:be )?(?:chang|do|fix|edit|updat)\w*|already (?:passes|pass|works|exists|there|correct|fixed|done|implemented|in place|present|up to date|does)|(?:is|are|was|were) already\b)/

/** Whether an answer says that the work is done. What it denies, doubts or promises is no claim. */
export function claimsDone(answer: string): boolean {
  return plainSentences(answer).some((sentence) => accomplished.test(sentence) && !negated.test(sentence))
}

/** Whether an answer leaves a step of the work to the user. */
export function handsBack(answer: string): boolean {
  return plainSentences(answer).some((sentence) => handingBack.test(sentence))
}

/** Whether an answer says that there was nothing to do. */
export function findsNothingToDo(answer: string): boolean {
  return plainSentences(answer).some((sentence) => needless.test(sentence))
}

function plainSentences(text: string): string[] {
  return sentencesOf(text).map((sentence) => wordsOf(sentence).join(' '))
}
