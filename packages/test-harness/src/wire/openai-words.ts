import { type JsonFields, fieldsOf, listOf, show } from '../history-faults/check.ts'
import type { HistoryFault } from '../history-faults/history-faults.ts'
import type { RuleOf } from '../history-faults/rules.ts'
import type { BodyFault } from './body-faults.ts'
import type { Said, Words } from './protocol.ts'
import type { ToolFault } from './tool-faults.ts'

/** The error messages of OpenAI. */
export const openaiWords: Words & { readonly sayBody: (fault: BodyFault) => Said } = {
  errorBody: ({ message, type = 'invalid_request_error', param, code }) => ({
    error: { message, type, param: param ?? null, code: code ?? null },
  }),

  sayNotJson: () =>
    bad(
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP " +
        'library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)',
    ),
  sayKey: () => ({ ...bad('Incorrect API key provided.', undefined, 'invalid_api_key'), status: 401 }),
  sayBody,
  sayHistory: (fault, messages) => {
    // A fault found with this dialect breaks one of its rules.
    const words = history[fault.rule as RuleOf<'openai'>]
    return words(fault, messages)
  },
  sayTool,
  sayTooLong: ({ tokens, window }) =>
    bad(
      `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. ` +
        'Please reduce the length of the messages.',
      'messages',
      'context_length_exceeded',
    ),
  sayNoModel: (model) => ({
    ...bad(`The model \`${model}\` does not exist or you do not have access to it.`, undefined, 'model_not_found'),
    status: 404,
  }),
  sayCannot: (model, capability) =>
    bad(`${capability} is not supported in the model ${model}.`, capability, 'unsupported_parameter'),
  sayFailure: ({ kind, status, message }) => {
    const said = failures[kind] ?? { status: 500, message: 'The server had an error.', type: 'server_error' }
    return { ...said, ...(status !== undefined && { status }), ...(message !== undefined && { message }) }
  },
}

const failures: Readonly<Partial<Record<string, Said>>> = {
  rate_limited: {
    status: 429,
    message: 'Rate limit reached. Please try again later.',
    type: 'requests',
    code: 'rate_limit_exceeded',
  },
  overloaded: {
    status: 503,
    message: 'The engine is currently overloaded, please try again later.',
    type: 'server_error',
  },
  no_credit: {
    status: 429,
    message: 'You exceeded your current quota, please check your plan and billing details.',
    type: 'insufficient_quota',
    code: 'insufficient_quota',
  },
  unknown_model: {
    status: 404,
    message: 'The model does not exist or you do not have access to it.',
    type: 'invalid_request_error',
    code: 'model_not_found',
  },
  context_too_long: bad(
    "This model's maximum context length is exceeded. Please reduce the length of the messages.",
    'messages',
    'context_length_exceeded',
  ),
  auth: { ...bad('Incorrect API key provided.', undefined, 'invalid_api_key'), status: 401 },
  bad_request: bad('The request is wrong.'),
}

const history: Readonly<Record<RuleOf<'openai'>, (fault: HistoryFault, messages: readonly JsonFields[]) => Said>> = {
  messagesPresent: () => emptyList('messages'),
  rolesKnown: ({ index }, messages) =>
    bad(
      `Invalid value: '${show(messages[index]?.['role'])}'. Supported values are: 'system', 'assistant', 'user', ` +
        "'function', 'tool', and 'developer'.",
      `messages[${index}].role`,
      'invalid_value',
    ),
  callsAnswered: ({ index }, messages) =>
    bad(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids did not have response messages: ${unanswered(messages, index).join(', ')}`,
      'messages',
    ),
  answeredOnce: ({ index, message }) =>
    bad(`Invalid parameter: only one tool message may respond to each 'tool_call_id' (${message}).`, role(index)),
  resultsHaveCalls: ({ index }) =>
    bad(
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      role(index),
    ),
  callsNotEmpty: ({ index }) => emptyList(`messages[${index}].tool_calls`),
  callIdsUnique: ({ index, message }) =>
    bad(`Invalid 'messages[${index}].tool_calls': duplicate id (${message}).`, calls(index), 'invalid_value'),
  callIdsWellFormed: ({ index }, messages) => callId(messages, index),
  callNamesWellFormed: ({ index }, messages) => {
    const at = listOf(messages[index]?.['tool_calls']).findIndex((call) => {
      const { name } = fieldsOf(call['function'])
      return typeof name !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(name)
    })
    return pattern(`messages[${index}].tool_calls[${at}].function.name`)
  },
  argumentsAreText: ({ index }, messages) => {
    const inputs = listOf(messages[index]?.['tool_calls']).map((call) => fieldsOf(call['function'])['arguments'])
    const at = inputs.findIndex((input) => typeof input !== 'string')
    const path = `messages[${index}].tool_calls[${at}].function.arguments`
    const got = Array.isArray(inputs[at]) ? 'an array' : `an ${typeof inputs[at]}`
    return bad(`Invalid type for '${path}': expected a string, but got ${got} instead.`, path, 'invalid_type')
  },
  argumentsAreJson: ({ index, message }) =>
    bad(`Invalid 'messages[${index}].tool_calls': invalid JSON in function.arguments (${message}).`, calls(index)),
  contentPresent: ({ index }) =>
    bad("Invalid value for 'content': expected a string, got null.", `messages.[${index}].content`),
  imagesFromUser: ({ index }, messages) =>
    bad(
      `Invalid 'messages[${index}]'. Image URLs are only allowed for messages with role 'user', but this message ` +
        `with role '${show(messages[index]?.['role'])}' contains an image URL.`,
      `messages[${index}]`,
      'invalid_value',
    ),
}

function bad(message: string, param?: string, code?: string): Said {
  return {
    status: 400,
    message,
    type: 'invalid_request_error',
    ...(param !== undefined && { param }),
    ...(code !== undefined && { code }),
  }
}

function sayBody({ path, kind, expected, got, message }: BodyFault): Said {
  const param = paramOf(path)
  if (kind === 'missing') return bad(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter')
  if (kind === 'rule') return bad(message, param)
  if (kind === 'value') return bad(`Invalid '${param}': ${message}.`, param, 'invalid_value')
  return bad(
    `Invalid type for '${param}': expected ${article(expected)}, but got ${article(got)} instead.`,
    param,
    'invalid_type',
  )
}

function sayTool({ index, name, kind, path, message }: ToolFault): Said {
  const at = `tools[${index}].function`
  if (kind === 'name') return pattern(`${at}.name`)
  if (kind === 'duplicate') return bad(`Invalid '${at}.name': ${message}.`, `${at}.name`, 'invalid_value')
  const context = `In context=(${path.map((key) => `'${key}'`).join(', ')}), `
  return bad(
    `Invalid schema for function '${name}': ${kind === 'schema' ? context : ''}${message}.`,
    `${at}.parameters`,
    'invalid_function_parameters',
  )
}

function emptyList(path: string): Said {
  return bad(
    `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    path,
    'empty_array',
  )
}

function pattern(path: string): Said {
  return bad(
    `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    path,
    'invalid_value',
  )
}

function callId(messages: readonly JsonFields[], index: number): Said {
  const ids = listOf(messages[index]?.['tool_calls']).map(({ id }) => id)
  const at = ids.findIndex((id) => typeof id !== 'string' || id.length === 0 || id.length > 40)
  const path = `messages[${index}].tool_calls[${at}].id`
  const id = ids[at]
  if (typeof id !== 'string') return bad(`Missing required parameter: '${path}'.`, path, 'missing_required_parameter')
  if (id === '')
    return bad(
      `Invalid '${path}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
      path,
      'empty_string',
    )
  return bad(
    `Invalid '${path}': string too long. Expected a string with maximum length 40, but got a string with length ` +
      `${id.length} instead.`,
    path,
    'string_above_max_length',
  )
}

function unanswered(messages: readonly JsonFields[], index: number): readonly string[] {
  const end = messages.findIndex(({ role: who }, at) => at > index && who !== 'tool')
  const results = messages.slice(index + 1, end < 0 ? undefined : end).map(({ tool_call_id: id }) => id)
  return listOf(messages[index]?.['tool_calls']).flatMap(({ id }) => (results.includes(id) ? [] : [show(id)]))
}

function role(index: number): string {
  return `messages.[${index}].role`
}

function calls(index: number): string {
  return `messages[${index}].tool_calls`
}

function paramOf(path: readonly (string | number)[]): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('')
}

function article(type: string): string {
  if (type === 'null') return 'null'
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`
}
