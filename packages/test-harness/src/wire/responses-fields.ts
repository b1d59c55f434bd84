import { type JsonFields, fieldsOf, isObject, listOf } from '../history-faults/check.ts'
import { kindOf } from '../history-faults/responses.ts'
import type { Refusal } from './protocol.ts'

/** The fields of a body. Source: `ResponseCreateParams` of openai 7.55. */
const inBody: readonly string[] =
  `access_programs background context_management conversation image include input instructions max_output_tokens
  max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key
  prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options
  temperature text tool_choice tools top_logprobs top_p truncation user`.split(/\s+/)

/** The fields of an item, by its type. Source: the items of `ResponseInputItem` of openai 7.55. */
const inItems: Readonly<Partial<Record<string, readonly string[]>>> = {
  message: ['type', 'id', 'role', 'content', 'status', 'phase'],
  function_call: ['type', 'id', 'call_id', 'name', 'arguments', 'status', 'namespace', 'async', 'caller'],
  function_call_output: ['type', 'id', 'call_id', 'output', 'status', 'name', 'namespace', 'caller'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content', 'status'],
  item_reference: ['type', 'id'],
}

const inFunction: readonly string[] =
  'type name description parameters strict output_schema allowed_callers async defer_loading'.split(' ')

/** What OpenAI does not know in a body, in its items, and in its functions. */
export function responsesUnknownFields(body: unknown): readonly Refusal[] {
  const { input, tools } = fieldsOf(body)
  const ofItems = listOf(input).flatMap((item, at) => unknownIn(item, inItems[kindOf(item)], `input[${at}].`))
  const ofTools = listOf(tools).flatMap((tool, at) =>
    tool['type'] === 'function' ? unknownIn(tool, inFunction, `tools[${at}].`) : [],
  )
  return [...unknownIn(fieldsOf(body), inBody, ''), ...ofItems, ...ofTools].map(refusalOf)
}

function unknownIn(value: JsonFields, known: readonly string[] | undefined, path: string): string[] {
  if (known === undefined || !isObject(value)) return []
  return Object.keys(value).flatMap((key) => (known.includes(key) ? [] : [`${path}${key}`]))
}

function refusalOf(param: string): Refusal {
  const message = `Unknown parameter: '${param}'.`
  return {
    violation: { rule: 'unknownFields', message },
    said: { status: 400, message, param, code: 'unknown_parameter' },
  }
}
