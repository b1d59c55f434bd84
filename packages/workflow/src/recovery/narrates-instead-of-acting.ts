import { wordsOf } from '../routing/words.ts'

const announced =
  /^(?:ok(?:ay)? |alright |sure |great |now |next |first |then |so |well )*(?:i(?:'ll| will| am going to|'m going to| need to| should| want to)|let me|let's|let us|we(?:'ll| will| need to)|going to)(?: now| first| then| next| also| just| start by| begin by| go ahead and| proceed to| quickly| try to| need to)* (?:read|reading|look|looking|check|checking|open|opening|run|running|create|creating|write|writing|edit|editing|update|updating|fix|fixing|add|adding|delete|deleting|remove|removing|search|searching|inspect|inspecting|examine|examining|explore|exploring|list|listing|use|using|call|calling|execute|executing|install|installing|modify|modifying|implement|implementing|make|making|test|testing|verify|verifying|view|viewing|find|finding|see|start|begin|get|apply)\b/
/** A call in words, as some models write them. */
const playedOut =
  /^[ \t]*(?:\[(?:calls?|using|running|use) [^\]\n]{0,200}(?:tool|\()[^\]\n]{0,200}\]|(?:calling|using|invoking|running) (?:the )?`?\w+`? tool\b)/im

/**
 * Whether an answer that made no call ends in the announcement of one: the model says what it will do and waits for
 * it to happen. An announcement that goes on with what was found is an answer like any other.
 */
export function narratesInsteadOfActing(answer: string): boolean {
  if (playedOut.test(answer)) return true
  const last = lastSentence(answer)
  return last !== undefined && announced.test(wordsOf(last).join(' '))
}

/** Without the code that is shown behind it: an announcement that ends in a code block is one all the same. */
function lastSentence(answer: string): string | undefined {
  return answer
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split(/\n+|(?<=[.!?…])\s+/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*•>#]+|\d+[.)])\s+/, '').trim())
    .findLast((sentence) => /\p{L}/u.test(sentence))
}
