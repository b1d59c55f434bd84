import {
  callIdsUnique,
  type CallFields,
  type Checks,
  eachCall,
  type JsonFields,
  fieldsOf,
  isPlainName,
  listOf,
  messagesPresent,
  rolesKnown,
  show,
} from './check.ts'

const longestId = 40

/** OpenAI chat completions, and the many servers with the same API. */
export const openaiChecks: Checks<'openai'> = {
  messagesPresent,
  rolesKnown: rolesKnown('system', 'developer', 'user', 'assistant', 'tool', 'function'),
  callIdsUnique: callIdsUnique(callsOf),

  *callsAnswered(messages) {
    for (const [index, message] of messages.entries()) {
      const answered = new Set(resultsBehind(messages, index).map(([, result]) => result['tool_call_id']))
      for (const { id } of callsOf(message)) {
        if (!answered.has(id)) yield [index, `call ${show(id)} has no tool message directly behind this message`]
      }
    }
  },

  *answeredOnce(messages) {
    for (const [index, message] of messages.entries()) {
      if (callsOf(message).length === 0) continue
      const seen = new Set<unknown>()
      for (const [place, { tool_call_id: id }] of resultsBehind(messages, index)) {
        if (seen.has(id)) yield [place, `call ${show(id)} has a result already`]
        seen.add(id)
      }
    }
  },

  *resultsHaveCalls(messages) {
    for (const [index, message] of messages.entries()) {
      if (message['role'] !== 'tool') continue
      const { tool_call_id: id } = message
      const before = messages.slice(0, index).findLast(({ role }) => role !== 'tool')
      const called = callsOf(before ?? {}).some((call) => call.id === id)
      if (!called) yield [index, `the message before the results makes no call ${show(id)}`]
    }
  },

  callIdsWellFormed: eachCall(callsOf, ({ id }) =>
    typeof id === 'string' && id.length > 0 && id.length <= longestId
      ? undefined
      : `has an id that is not a text of 1 to ${longestId} characters`,
  ),

  callNamesWellFormed: eachCall(callsOf, ({ name }) =>
    isPlainName(name) ? undefined : `calls a tool named ${show(name)}`,
  ),

  argumentsAreText: eachCall(callsOf, ({ input }) =>
    typeof input === 'string' ? undefined : 'has arguments that are no text',
  ),

  argumentsAreJson: eachCall(callsOf, ({ input }) =>
    typeof input === 'string' && !isJson(input) ? 'has arguments that are no JSON' : undefined,
  ),

  *callsNotEmpty(messages) {
    for (const [index, { tool_calls: calls }] of messages.entries()) {
      if (Array.isArray(calls) && calls.length === 0) yield [index, 'tool_calls is empty; leave it out']
    }
  },

  *contentPresent(messages) {
    for (const [index, message] of messages.entries()) {
      const { content, function_call: legacyCall, refusal, audio } = message
      const replaced = callsOf(message).length > 0 || Boolean(legacyCall ?? refusal ?? audio)
      if ((content === null || content === undefined) && !replaced) yield [index, 'content is missing']
    }
  },

  *imagesFromUser(messages) {
    for (const [index, { role, content }] of messages.entries()) {
      const hasImage = listOf(content).some(({ type }) => type === 'image_url')
      if (hasImage && role !== 'user') yield [index, `a message with the role ${show(role)} holds an image`]
    }
  },
}

function callsOf({ role, tool_calls: calls }: JsonFields): CallFields[] {
  if (role !== 'assistant') return []
  return listOf(calls).map(({ id, function: called, custom }) => {
    // The input of a custom tool is any text.
    if (custom !== undefined) return { id, name: fieldsOf(custom)['name'], input: '""' }
    const { name, arguments: input } = fieldsOf(called)
    return { id, name, input }
  })
}

/** The tool messages directly after a message, with their indexes. */
function resultsBehind(messages: readonly JsonFields[], index: number): [number, JsonFields][] {
  const results: [number, JsonFields][] = []
  for (let place = index + 1; messages[place]?.['role'] === 'tool'; place += 1) {
    results.push([place, messages[place] as JsonFields])
  }
  return results
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
