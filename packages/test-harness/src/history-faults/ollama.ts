import {
  type CallFields,
  type Checks,
  eachCall,
  type JsonFields,
  fieldsOf,
  inputIsObject,
  listOf,
  rolesKnown,
  show,
} from './check.ts'

/** Ollama's own chat API. Its calls have no ids: results are matched by name and order. */
export const ollamaChecks: Checks<'ollama'> = {
  rolesKnown: rolesKnown('system', 'user', 'assistant', 'tool'),
  argumentsAreObject: eachCall(callsOf, inputIsObject),

  *callsAnswered(messages) {
    for (const [index] of messages.entries()) {
      for (const name of pair(messages, index).unanswered) {
        yield [index, `a call of ${show(name)} has no tool message directly behind this message`]
      }
    }
  },

  *resultsHaveCalls(messages) {
    for (const [index, message] of messages.entries()) {
      if (message['role'] === 'tool') continue
      for (const place of pair(messages, index).orphans) {
        yield [place, `the message before the results has no call of ${show(messages[place]?.['tool_name'])} left`]
      }
    }
    for (let place = 0; messages[place]?.['role'] === 'tool'; place += 1)
      yield [place, 'no message makes a call before']
  },

  *contentIsText(messages) {
    for (const [index, { content }] of messages.entries()) {
      if (typeof content === 'object' && content !== null) yield [index, 'content is not text']
    }
  },

  *imagesPlain(messages) {
    for (const [index, { images }] of messages.entries()) {
      const isPlain = (image: unknown) => typeof image === 'string' && !/^(data|https?):/i.test(image)
      if (Array.isArray(images) && !images.every(isPlain)) yield [index, 'an image is not plain base64']
    }
  },
}

function callsOf({ role, tool_calls: calls }: JsonFields): CallFields[] {
  if (role !== 'assistant') return []
  return listOf(calls).map((call) => {
    const { name, arguments: input } = fieldsOf(call['function'])
    return { id: call['id'], name, input }
  })
}

/** Matches the calls of a message with the tool messages directly after it, and returns the unmatched ones of both. */
function pair(messages: readonly JsonFields[], index: number): { unanswered: unknown[]; orphans: number[] } {
  const unanswered = callsOf(messages[index] ?? {}).map(({ name }) => name)
  const orphans: number[] = []
  for (let place = index + 1; messages[place]?.['role'] === 'tool'; place += 1) {
    const { tool_name: name } = messages[place] as JsonFields
    // A result without a name answers the next call.
    const answered = name === undefined ? 0 : unanswered.indexOf(name)
    if (answered < 0 || unanswered.length === 0) orphans.push(place)
    else unanswered.splice(answered, 1)
  }
  return { unanswered, orphans }
}
