import { type JsonFields, isPlainName, listOf, show } from '../history-faults/check.ts'
import type { HistoryFault } from '../history-faults/history-faults.ts'
import { contentTypes, idPrefixes, kindOf, reasoningOf } from '../history-faults/responses.ts'
import type { RuleOf } from '../history-faults/rules.ts'
import { jsonType } from './body-faults.ts'
import { openaiWords } from './openai-words.ts'
import type { Said, Words } from './protocol.ts'

/** How OpenAI puts what is wrong with a request for a response; errors have the shape that they have everywhere there. */
export const responsesWords: Words = {
  ...openaiWords,
  sayHistory: (fault, items) => {
    // Only rules of this dialect are broken in it.
    const words = history[fault.rule as RuleOf<'responses'>]
    return words(fault, items[fault.index] ?? {}, items)
  },
  sayTool: (fault) => {
    const { message, param = '', ...said } = openaiWords.sayTool(fault)
    // A function is the tool itself here.
    const plain = (text: string) => text.replaceAll('.function', '')
    return { ...said, message: plain(message), param: plain(param) }
  },
  sayTooLong: () => tooLong,
  sayFailure: (failure) => {
    const { message, status } = failure
    if (failure.kind !== 'context_too_long') return openaiWords.sayFailure(failure)
    return { ...tooLong, ...(status !== undefined && { status }), ...(message !== undefined && { message }) }
  },
}

/** How it puts that it cannot read what was sealed. */
export function saySealForeign(seal: unknown): Said {
  const text = show(seal)
  const shown = text.length > 12 ? `${text.slice(0, 4)}...${text.slice(-4)}` : text
  return bad(`The encrypted content ${shown} could not be verified.`, undefined, 'invalid_encrypted_content')
}

const tooLong = bad(
  'Your input exceeds the context window of this model. Please adjust your input and try again.',
  'input',
  'context_length_exceeded',
)

type Says = (fault: HistoryFault, item: JsonFields, items: readonly JsonFields[]) => Said

const history: Readonly<Record<RuleOf<'responses'>, Says>> = {
  rolesKnown: ({ index }, { role }) =>
    bad(
      `Invalid value: '${show(role)}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`,
      `input[${index}]`,
      'invalid_value',
    ),
  itemsKnown: ({ index }, item) =>
    bad(
      `Invalid value: '${kindOf(item)}'. Supported values are: 'function_call', 'function_call_output', ` +
        "'item_reference', 'message', and 'reasoning'.",
      `input[${index}]`,
      'invalid_value',
    ),
  callsAnswered: (_fault, { call_id: id }) => bad(`No tool output found for function call ${show(id)}.`, 'input'),
  resultsHaveCalls: (_fault, { call_id: id }) =>
    bad(`No tool call found for function call output with call_id ${show(id)}.`, 'input'),
  callIdsWellFormed: ({ index }, { call_id: id }) => callId(`input[${index}].call_id`, id),
  callNamesWellFormed: ({ index }, { name }) => nameOf(`input[${index}].name`, name),
  argumentsAreText: ({ index }, { arguments: input }) => {
    const path = `input[${index}].arguments`
    if (input === undefined) return missing(path)
    const type = jsonType(input)
    const got = type === 'null' ? 'null' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`
    return bad(`Invalid type for '${path}': expected a string, but got ${got} instead.`, path, 'invalid_type')
  },
  contentPresent: ({ index }) => missing(`input[${index}].content`),
  contentInRole: ({ index }, item) => {
    const allowed = contentTypes(item)
    const types = listOf(item['content']).map(({ type }) => show(type))
    const at = types.findIndex((type) => !allowed.includes(type))
    const path = `input[${index}].content[${at}]`
    return bad(`Invalid value: '${types[at]}'. Supported values are: ${listed(allowed)}.`, path, 'invalid_value')
  },
  itemIdsWellFormed: ({ index }, item) => {
    const [path, id] = [`input[${index}].id`, show(item['id'])]
    if (!/^[a-zA-Z0-9_-]+$/.test(id))
      return bad(
        `Invalid '${path}': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this ` +
          'value contained additional characters.',
        path,
        'invalid_value',
      )
    if (id.length > 64) return above(path, id)
    return bad(
      `Invalid '${path}': '${id}'. Expected an ID that begins with '${idPrefixes[kindOf(item)]}'.`,
      path,
      'invalid_value',
    )
  },
  itemIdsUnique: (_fault, { id }) =>
    bad(`Duplicate item found with id ${show(id)}. Remove duplicate items from your input and try again.`, 'input'),
  reasoningFollowed: (_fault, { id = '' }) =>
    bad(`Item '${show(id)}' of type 'reasoning' was provided without its required following item.`, 'input'),
  reasoningKept: (_fault, item) =>
    bad(
      `Item '${show(item['id'])}' of type '${kindOf(item)}' was provided without its required 'reasoning' item: ` +
        `'${reasoningOf(item)}'.`,
      'input',
    ),
  reasoningSealed: (_fault, { id }) => ({
    ...bad(
      `Item with id '${show(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with ` +
        '`store` set to true, or remove this item from your input.',
      'input',
    ),
    status: 404,
  }),
}

function bad(message: string, param?: string, code?: string): Said {
  return { status: 400, message, ...(param !== undefined && { param }), ...(code !== undefined && { code }) }
}

function missing(path: string): Said {
  return bad(`Missing required parameter: '${path}'.`, path, 'missing_required_parameter')
}

function above(path: string, id: string): Said {
  return bad(
    `Invalid '${path}': string too long. Expected a string with maximum length 64, but got a string with length ` +
      `${id.length} instead.`,
    path,
    'string_above_max_length',
  )
}

function empty(path: string): Said {
  return bad(
    `Invalid '${path}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
    path,
    'empty_string',
  )
}

function callId(path: string, id: unknown): Said {
  if (typeof id !== 'string') return missing(path)
  return id === '' ? empty(path) : above(path, id)
}

function nameOf(path: string, name: unknown): Said {
  if (name === '') return empty(path)
  if (typeof name !== 'string' || isPlainName(name)) return missing(path)
  return bad(
    `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    path,
    'invalid_value',
  )
}

function listed(values: readonly string[]): string {
  const shown = values.map((value) => `'${value}'`)
  const last = shown.at(-1) ?? ''
  return shown.length < 3 ? shown.join(' and ') : `${shown.slice(0, -1).join(', ')}, and ${last}`
}
