import { type JsonFields, fieldsOf, listOf, show } from '../history-faults/check.ts'
import type { HistoryFault } from '../history-faults/history-faults.ts'
import type { RuleOf } from '../history-faults/rules.ts'
import { jsonType, type BodyFault } from './body-faults.ts'
import type { Said, Words } from './protocol.ts'

/** The error messages of Ollama. Where it would accept a broken history and fail later, the message is ours. */
export const ollamaWords: Words & { readonly sayBody: (fault: BodyFault) => Said } = {
  errorBody: ({ message }) => ({ error: message }),
  sayNotJson: () => bad('invalid character in request body: it is not JSON'),
  sayKey: () => ({ status: 401, message: 'unauthorized' }),
  sayBody: ({ path, kind, expected, got, message }) => {
    const field = path.filter((key) => typeof key === 'string').join('.')
    if (kind === 'rule') return bad(message)
    if (kind !== 'type') return bad(field === 'model' ? 'model is required' : `invalid ${field}: ${message}`)
    return unmarshal(got, field, goType(expected))
  },
  sayHistory: (fault, messages) => {
    // A fault found with this dialect breaks one of its rules.
    const words = history[fault.rule as RuleOf<'ollama'>]
    return words(fault, messages)
  },
  sayTool: ({ name, kind, path, message }) => {
    const place = kind === 'schema' ? ` at ${path.join('.') || 'its root'}` : ''
    return bad(`invalid tool ${JSON.stringify(name)}${place}: ${message}`)
  },
  sayTooLong: ({ tokens, window }) =>
    bad(`prompt too long; exceeded max context length by ${Math.max(1, tokens - window)} tokens`),
  sayNoModel: (model) => ({ status: 404, message: `model '${model}' not found` }),
  sayCannot: (model, capability) =>
    bad(
      capability === 'tools'
        ? `registry.ollama.ai/library/${model} does not support tools`
        : `${JSON.stringify(model)} does not support ${capability}`,
    ),
  sayFailure: ({ kind, status, message }) => {
    const said = failures[kind] ?? { status: 500, message: 'internal server error' }
    return { ...said, ...(status !== undefined && { status }), ...(message !== undefined && { message }) }
  },
}

const failures: Readonly<Partial<Record<string, Said>>> = {
  no_credit: { status: 402, message: 'payment required' },
  unknown_model: { status: 404, message: "model 'scripted' not found" },
  rate_limited: { status: 429, message: 'too many requests' },
  overloaded: { status: 503, message: 'server busy, please try again.  maximum pending requests exceeded' },
  context_too_long: bad('prompt too long; exceeded max context length'),
  auth: { status: 401, message: 'unauthorized' },
  bad_request: bad('the request is wrong'),
}

const history: Readonly<Record<RuleOf<'ollama'>, (fault: HistoryFault, messages: readonly JsonFields[]) => Said>> = {
  rolesKnown: ({ index }, messages) =>
    bad(`invalid role: ${show(messages[index]?.['role'])}, must be one of [system user assistant tool]`),
  callsAnswered: ({ index, message }) => bad(`messages[${index}]: ${message}`),
  resultsHaveCalls: ({ index, message }) => bad(`messages[${index}]: ${message}`),
  argumentsAreObject: ({ index }, messages) => {
    const inputs = listOf(messages[index]?.['tool_calls']).map((call) => fieldsOf(call['function'])['arguments'])
    const wrong = inputs.find((input) => jsonType(input) !== 'object')
    return unmarshal(jsonType(wrong), 'messages.tool_calls.function.arguments', 'api.ToolCallFunctionArguments')
  },
  contentIsText: ({ index }, messages) =>
    unmarshal(jsonType(messages[index]?.['content']), 'messages.content', 'string'),
  imagesPlain: ({ index }) => bad(`messages[${index}].images: illegal base64 data at input byte 4`),
}

/** In the format of Go's JSON library. */
function unmarshal(got: string, field: string, type: string): Said {
  const kind = got === 'integer' ? 'number' : got === 'boolean' ? 'bool' : got
  return bad(`json: cannot unmarshal ${kind} into Go struct field ChatRequest.${field} of type ${type}`)
}

function goType(expected: string): string {
  return (
    { boolean: 'bool', integer: 'int', number: 'int', array: '[]api.Message', object: 'map[string]interface {}' }[
      expected
    ] ?? expected
  )
}

function bad(message: string): Said {
  return { status: 400, message }
}
