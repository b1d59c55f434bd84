import type { HereDoc, Redirect } from 'unbash'
import { variableLevel } from './assignments.ts'
import { changeOf, type Feed, type Judgement, judged } from './judgement.ts'
import type { Place } from './place.ts'
import { readWord } from './shell-word.ts'

/** What opening a file for a command, or closing one, can lead to. */
export function judgeRedirect({ operator, target, descriptor }: Redirect, place: Place): Judgement {
  const words = target === undefined ? [] : readWord(target)
  const [word] = words
  if (word === undefined || words.length > 1) return judged('ask', 'it is not clear where it leads')
  if (descriptor?.type === 'FileDescriptorVariable') {
    const level = variableLevel(descriptor.name)
    if (level !== 'probe') return judged(level, `sets ${descriptor.name}`)
  }
  if (/^\/dev\/(?:tcp|udp)\b/.test(word.start)) return { ...judged('ask', 'opens a connection'), fetches: true }
  switch (operator) {
    case '<':
      return word.kind === 'open' && word.start === ''
        ? judged('run', 'reads what is named only when it runs')
        : judged('probe', 'only looks')
    case '<&':
    case '>&':
      if (word.kind === 'fixed' && /^(?:\d+-?|-)$/.test(word.value))
        return judged('probe', 'joins what is open already')
      return operator === '<&' ? judged('ask', 'it is not clear what it joins') : changeOf(word, place)
    case '>':
    case '>>':
    case '>|':
    case '<>':
    case '&>':
    case '&>>':
      return changeOf(word, place)
    default:
      return operator satisfies never
  }
}

/** Text in the command line that a command reads. */
export function feedOf({ body, delimiter }: HereDoc): Feed {
  if (delimiter?.quoted === true || body.parts === undefined) return { kind: 'text', text: body.text }
  const texts = body.parts.map((part) => (part.type === 'Literal' ? part.value : undefined))
  return texts.includes(undefined) ? { kind: 'unknown' } : { kind: 'text', text: texts.join('') }
}

/** Text without an end is read differently by different shells. */
export function judgeHereDoc({ closing, delimiter }: HereDoc): Judgement {
  if (closing === undefined || delimiter === undefined) return judged('ask', 'the text behind << has no end')
  return judged('run', 'feeds text of its own to a command')
}
