import { callsOf, type Message, type ResultPart } from '../words/message.ts'

/** A message and the results that follow it, in the order of its calls. */
export interface CallExchange {
  /** Absent when the results come first, as in a truncated conversation. */
  readonly message: Message | undefined
  readonly results: readonly ResultPart[]
}

/**
 * Orders results by their calls: tools finish in any order, but the programs that read this expect the order of the
 * calls.
 */
export function exchangesOf(messages: Iterable<Message>): CallExchange[] {
  const exchanges: { message: Message | undefined; results: ResultPart[] }[] = []
  for (const message of messages) {
    const results = message.content.flatMap((part) => (part.type === 'result' ? [part] : []))
    const last = exchanges.at(-1)
    if (message.role !== 'tool') exchanges.push({ message, results })
    else if (last) last.results.push(...results)
    else exchanges.push({ message: undefined, results })
  }
  return exchanges.map(({ message, results }) => ({ message, results: inOrderOfCalls(message, results) }))
}

function inOrderOfCalls(message: Message | undefined, results: readonly ResultPart[]): ResultPart[] {
  const calls = callsOf(message?.content ?? [])
  const place = new Map(calls.map(({ id }, index) => [id, index]))
  // Results of other calls keep their place at the end.
  const placeOf = ({ callId }: ResultPart) => place.get(callId) ?? calls.length
  return results.toSorted((one, other) => placeOf(one) - placeOf(other))
}
