import { type Message, shownText, textOf } from '@loader/session-core'
import { sentencesOf } from './sentences.ts'

/** A statement that may matter later. */
export interface WeightedFact {
  readonly text: string
  /** How much it contains that cannot be guessed: names, numbers, paths, reasons. */
  readonly weight: number
}

/**
 * Details that cannot be guessed: code, quotes, and words that look like a path, address, version, number or
 * identifier. A match takes the rest of its word with it, so each character is looked at once.
 */
const specifics = /`[^`]+`|"[^"]{2,60}"|(?:\/\w|\d|\w[._]\w|[a-z][A-Z]|\b[A-Z][A-Z0-9_]{2})\S*/g
const reasons =
  /\b(?:because|since|cause|caused|decided|decision|found|turns out|turned out|instead|note|remember|important|requires|depends|fails|failed|fixed|works|means|default|expects|version|called|named|stands for)\b/i

/** Sentences that announce or report a next step rarely contain lasting facts. */
const narration = /^(?:I|I'll|I'm|I've|let me|let's|now|next|first|then|here|step|ok|okay|done)\b/i

const lengths = { shortest: 12, longest: 150 } as const
const longestLook = 4096
const mostOfOneMessage = 8
const failureWeight = 2

/** Facts in messages of users and models and in errors of calls, in order. */
export function factsIn(messages: readonly Message[]): WeightedFact[] {
  return messages.flatMap((message) => (message.role === 'tool' ? failuresOf(message) : saidIn(message)))
}

export function factOf(text: string): WeightedFact {
  const found = text.match(specifics)?.length ?? 0
  if (found === 0) return { text, weight: 0 }
  return { text, weight: Math.min(found, 4) + (reasons.test(text) ? 1 : 0) - (narration.test(text) ? 2 : 0) }
}

function saidIn({ role, content }: Message): WeightedFact[] {
  const said = textOf(content).slice(0, longestLook)
  if (said.length < lengths.shortest) return []
  const facts = sentencesOf(said)
    .filter(({ length }) => length >= lengths.shortest && length <= lengths.longest)
    .map(factOf)
    .filter(({ weight }) => weight > 0)
    .map(({ text, weight }) => ({ text, weight: role === 'user' ? weight + 1 : weight }))
  return facts.length <= mostOfOneMessage
    ? facts
    : facts.toSorted((one, other) => other.weight - one.weight).slice(0, mostOfOneMessage)
}

function failuresOf({ content }: Message): WeightedFact[] {
  return content.flatMap((part) => {
    if (part.type !== 'result' || part.outcome !== 'failed') return []
    const line = shownText(part.text)
      .slice(0, longestLook)
      .split('\n')
      .find((each) => each.trim() !== '')
    return line === undefined ? [] : [{ text: `${part.name} failed: ${line.trim()}`, weight: failureWeight }]
  })
}
