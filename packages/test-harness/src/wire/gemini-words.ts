import { type JsonFields, fieldsOf, isObject, show } from '../history-faults/check.ts'
import { emptyPart, partsOf } from '../history-faults/gemini.ts'
import type { HistoryFault } from '../history-faults/history-faults.ts'
import type { RuleOf } from '../history-faults/rules.ts'
import type { BodyFault } from './body-faults.ts'
import type { Said, Words } from './protocol.ts'

/** How Gemini puts what is wrong. */
export const geminiWords: Words = {
  errorBody: ({ status, message, type = statusOf(status), details = [] }, _number, retryAfterMs) => {
    const all = [
      ...(Array.isArray(details) ? details : []),
      ...(retryAfterMs === undefined ? [] : [retryInfo(retryAfterMs)]),
    ]
    return { error: { code: status, message, status: type, ...(all.length > 0 && { details: all }) } }
  },

  sayNotJson: () => bad('Invalid JSON payload received. Unexpected end of string. Expected a value.'),
  sayKey: () => keyInvalid,
  sayHistory: (fault, contents) => {
    // Only rules of this dialect are broken in it.
    const words = history[fault.rule as RuleOf<'gemini'>]
    return words(fault, contents[fault.index] ?? {})
  },
  sayTool: ({ index, name, kind, path, message }) => {
    const at = `tools[0].function_declarations[${index}]`
    if (kind === 'name') return bad(`* GenerateContentRequest.${at}.name: ${wrongName}\n`)
    if (kind === 'duplicate') return bad(`Duplicate function declaration found: ${name}`)
    const place = ['parameters', ...path].join('.')
    return bad(`* GenerateContentRequest.${at}.${place}: ${kind === 'type' ? 'should be of type OBJECT' : message}.\n`)
  },
  sayTooLong: ({ tokens, window }) =>
    bad(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`),
  sayNoModel: (model) => ({
    status: 404,
    message:
      `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ` +
      'ModelService.ListModels to see the list of available models and their supported methods.',
  }),
  sayCannot: (model, capability) =>
    bad(capability === 'tools' ? `Function calling is not enabled for models/${model}` : cannot(capability)),
  sayFailure: ({ kind, status, message }) => {
    const said = failures[kind] ?? { status: 500, message: 'An internal error has occurred. Please retry.' }
    return { ...said, ...(status !== undefined && { status }), ...(message !== undefined && { message }) }
  },
}

/** A name that nothing has, and where it stands. */
export interface UnknownName {
  readonly name: string
  readonly path: string
}

export function sayUnknownNames(unknown: readonly UnknownName[]): Said {
  const lines = unknown.map(({ name, path }) => {
    const at = path === '' ? '' : ` at '${path}'`
    return { path, description: `Invalid JSON payload received. Unknown name "${name}"${at}: Cannot find field.` }
  })
  const violations = lines.map(({ path, description }) => ({ ...(path !== '' && { field: path }), description }))
  return {
    ...bad(lines.map(({ description }) => description).join('\n')),
    details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations }],
  }
}

export function sayBodyFault({ path, expected, message, kind }: BodyFault): Said {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${inSnakeCase(key)}`)).join('')
  const at = place.replace(/^\./, '')
  if (kind === 'type') return bad(`Invalid value at '${at}' (${expected}), a value of another type.`)
  return bad(`* GenerateContentRequest.${at}: ${message}\n`)
}

/** How it puts that a signature is none of its own, or is no base64 at all. */
export function saySignatureForeign(index: number, at: number, signature: unknown): Said {
  const text = show(signature)
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1)
    return bad('Corrupted thought signature.')
  return bad(
    `Invalid value at 'contents[${index}].parts[${at}].thought_signature' (TYPE_BYTES), Base64 decoding failed for ` +
      JSON.stringify(text),
  )
}

const wrongName =
  'Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores ' +
  '(_), dots (.) or dashes (-), with a maximum length of 64.'

const keyInvalid: Said = {
  ...bad('API key not valid. Please pass a valid API key.'),
  details: [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
  ],
}

const failures: Readonly<Partial<Record<string, Said>>> = {
  rate_limited: { status: 429, message: 'Resource has been exhausted (e.g. check quota).' },
  overloaded: { status: 503, message: 'The model is overloaded. Please try again later.' },
  no_credit: {
    status: 403,
    message: 'This API method requires billing to be enabled.',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'BILLING_DISABLED' }],
  },
  unknown_model: { status: 404, message: 'models/scripted is not found for API version v1beta.' },
  context_too_long: bad('The input token count exceeds the maximum number of tokens allowed.'),
  auth: keyInvalid,
  bad_request: bad('Request contains an invalid argument.'),
}

const history: Readonly<Record<RuleOf<'gemini'>, (fault: HistoryFault, content: JsonFields) => Said>> = {
  messagesPresent: () => bad('* GenerateContentRequest.contents: contents is not specified\n'),
  rolesKnown: () => bad('Please use a valid role: user, model.'),
  contentPresent: ({ index }) =>
    bad(`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`),
  partsHoldData: ({ index }, content) =>
    bad(
      `* GenerateContentRequest.contents[${index}].parts[${emptyPart(content)}].data: required oneof field 'data' must ` +
        'have one initialized field\n',
    ),
  callsInTurn: () =>
    bad('Please ensure that function call turn comes immediately after a user turn or after a function response turn.'),
  callsAnswered: () =>
    bad(
      'Please ensure that the number of function response parts is equal to the number of function call parts of the ' +
        'function call turn.',
    ),
  resultsHaveCalls: () =>
    bad('Please ensure that function response turn comes immediately after a function call turn.'),
  callNamesWellFormed: ({ index }, content) => {
    const at = partsOf(content).findIndex(({ functionCall: call }) => isObject(call) && !isName(call['name']))
    const path = `contents[${index}].parts[${at}].function_call.name`
    const { name } = fieldsOf(partsOf(content)[at]?.['functionCall'])
    return bad(`* GenerateContentRequest.${path}: ${name ? wrongName : 'Name cannot be empty.'}\n`)
  },
  argumentsAreObject: ({ index }, content) => {
    const at = partsOf(content).findIndex(
      ({ functionCall: call }) => isObject(call) && call['args'] !== undefined && !isObject(call['args']),
    )
    return noStruct(`contents[${index}].parts[${at}].function_call.args`, content, at, 'functionCall', 'args')
  },
  resultsNamed: ({ index }, content) => {
    const at = partsOf(content).findIndex(({ functionResponse: result }) => isObject(result) && !result['name'])
    return bad(
      `* GenerateContentRequest.contents[${index}].parts[${at}].function_response.name: Name cannot be empty.\n`,
    )
  },
  resultsAreObjects: ({ index }, content) => {
    const at = partsOf(content).findIndex(
      ({ functionResponse: result }) => isObject(result) && !isObject(result['response']),
    )
    const path = `contents[${index}].parts[${at}].function_response.response`
    return noStruct(path, content, at, 'functionResponse', 'response')
  },
  signaturesPresent: ({ index }, content) => {
    const call = partsOf(content).find(({ functionCall }) => isObject(functionCall))
    const { name } = fieldsOf(call?.['functionCall'])
    return bad(
      'Function call is missing a thought_signature in functionCall parts. This is required for tools to work ' +
        'correctly, and missing thought_signature may lead to degraded model performance. Additional data, function ' +
        `call \`default_api:${show(name)}\` , position ${index + 1}. Please refer to ` +
        'https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
    )
  },
}

function noStruct(path: string, content: JsonFields, at: number, holder: string, key: string): Said {
  const value = fieldsOf(partsOf(content)[at]?.[holder])[key]
  return bad(`Invalid value at '${path}' (type.googleapis.com/google.protobuf.Struct), ${JSON.stringify(value)}`)
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name)
}

function cannot(capability: string): string {
  return `Unable to submit request because ${capability} is not supported by this model.`
}

function retryInfo(milliseconds: number): object {
  return { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${milliseconds / 1000}s` }
}

function bad(message: string): Said {
  return { status: 400, message }
}

function inSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const statuses: Readonly<Partial<Record<number, string>>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

function statusOf(status: number): string {
  return statuses[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
}
