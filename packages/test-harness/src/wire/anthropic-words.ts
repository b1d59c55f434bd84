import { bytesOfBase64, imageFacts } from '@loader/session-core'
import { imagesIn, largestImage, longestEdge } from '../history-faults/anthropic.ts'
import { type JsonFields, isObject, listOf, show } from '../history-faults/check.ts'
import type { HistoryFault } from '../history-faults/history-faults.ts'
import type { RuleOf } from '../history-faults/rules.ts'
import type { BodyFault } from './body-faults.ts'
import type { Said, Words } from './protocol.ts'
import type { ToolFault } from './tool-faults.ts'

/** The error messages of Anthropic. */
export const anthropicWords: Words & {
  readonly sayBody: (fault: BodyFault) => Said
} = {
  errorBody: (said, number) => ({ ...errorEvent(said), request_id: `req_${number}` }),

  sayNotJson: () => bad('The request body is not valid JSON.'),
  sayKey: () => ({ status: 401, message: 'invalid x-api-key' }),
  sayBody,
  sayHistory: (fault, messages) => {
    // A fault found with this dialect breaks one of its rules.
    const words = history[fault.rule as RuleOf<'anthropic'>]
    return bad(words(fault, messages))
  },
  sayTool,
  sayTooLong: ({ tokens, window, maxOutputTokens = 0 }) =>
    bad(
      tokens > window
        ? `prompt is too long: ${tokens} tokens > ${window} maximum`
        : `input length and \`max_tokens\` exceed context limit: ${tokens} + ${maxOutputTokens} > ${window}, ` +
            'decrease input length or `max_tokens` and try again',
    ),
  sayNoModel: (model) => ({ status: 404, message: `model: ${model}` }),
  sayCannot: (model, capability) => bad(`${capability} is not supported on the model ${model}.`),
  sayFailure: ({ kind, status, message }) => {
    const said = failures[kind] ?? { status: 500, message: 'Internal server error' }
    return { ...said, ...(status !== undefined && { status }), ...(message !== undefined && { message }) }
  },
}

const failures: Readonly<Partial<Record<string, Said>>> = {
  rate_limited: {
    status: 429,
    message: 'This request would exceed the rate limit. Please try again later.',
    type: 'rate_limit_error',
  },
  overloaded: { status: 529, message: 'Overloaded', type: 'overloaded_error' },
  no_credit: { status: 402, message: 'Your credit balance is too low.', type: 'billing_error' },
  unknown_model: { status: 404, message: 'model: scripted', type: 'not_found_error' },
  context_too_long: bad('prompt is too long'),
  auth: { status: 401, message: 'invalid x-api-key' },
  bad_request: bad('The request is wrong.'),
}

const history: Readonly<Record<RuleOf<'anthropic'>, (fault: HistoryFault, messages: readonly JsonFields[]) => string>> =
  {
    messagesPresent: () => 'messages: at least one message is required',
    rolesKnown: ({ index }, messages) =>
      `messages: Unexpected role "${show(messages[index]?.['role'])}". Allowed roles are "user" or "assistant"`,
    beginsWithUser: () => 'messages: first message must use the "user" role',
    noSystemRole: () =>
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as ' +
      'an input message role.',
    systemInPlace: ({ index, message }) => `messages.${index}: a \`system\` message is out of place (${message})`,
    callsAnswered: ({ index }, messages) =>
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
      `${unanswered(messages, index).join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` ` +
      'block in the next message.',
    answeredOnce: ({ index }, messages) => {
      const ids = blocksOf(messages[index]).map(({ tool_use_id: id }) => id)
      const at = ids.findIndex((id, place) => id !== undefined && ids.indexOf(id) < place)
      return (
        `messages.${index}.content.${at}: each tool_use must have a single result. Found multiple \`tool_result\` ` +
        `blocks with id: ${show(ids[at])}`
      )
    },
    resultsHaveCalls: ({ index }, messages) => {
      const called = blocksOf(messages[index - 1]).map(({ id }) => id)
      const blocks = blocksOf(messages[index])
      const at = blocks.findIndex(({ type, tool_use_id: id }) => type === 'tool_result' && !called.includes(id))
      return (
        `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ` +
        `${show(blocks[at]?.['tool_use_id'])}. Each \`tool_result\` block must have a corresponding \`tool_use\` block ` +
        'in the previous message.'
      )
    },
    resultsFirst: ({ index, message }) =>
      `messages.${index}: \`tool_result\` blocks must come first in the content (${message})`,
    callsLast: ({ index, message }) =>
      `messages.${index}: \`tool_use\` blocks must come last in the content (${message})`,
    blocksInRole: ({ index }, messages) =>
      messages[index]?.['role'] === 'user'
        ? `messages.${index}: \`tool_use\` blocks can only be in \`assistant\` messages`
        : `messages.${index}: \`tool_result\` blocks can only be in \`user\` messages`,
    callIdsUnique: ({ index }) => `messages.${index}: \`tool_use\` ids must be unique`,
    callIdsWellFormed: ({ index }, messages) =>
      `${useAt(messages, index, ({ id }) => typeof id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(id))}.id: String should ` +
      "match pattern '^[a-zA-Z0-9_-]+$'",
    callNamesWellFormed: ({ index }, messages) => {
      const isNoName = ({ name }: JsonFields) => typeof name !== 'string' || name.length === 0 || name.length > 200
      const { name } = blocksOf(messages[index]).find((block) => block['type'] === 'tool_use' && isNoName(block)) ?? {}
      const limit = typeof name === 'string' && name.length > 0 ? 'at most 200 characters' : 'at least 1 character'
      return `${useAt(messages, index, isNoName)}.name: String should have ${limit}`
    },
    argumentsAreObject: ({ index }, messages) =>
      `${useAt(messages, index, ({ input }) => !isObject(input))}.input: Input should be a valid dictionary`,
    contentPresent: ({ index }) =>
      `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
    textNotBlank: () => 'messages: text content blocks must contain non-whitespace text',
    noTrailingSpace: () => 'messages: final assistant content cannot end with trailing whitespace',
    endsWithUser: () =>
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    imagesTyped: ({ index }, messages) => {
      const { mediaType, found } = wronglyTyped(messages, index)
      return found === undefined
        ? `messages.${index}.content: Could not process image`
        : `messages.${index}.content: The image was specified using the ${mediaType} media type, but the image appears ` +
            `to be a ${found} image`
    },
    imagesSmall: ({ index }, messages) => {
      const size = Math.max(
        ...imagesIn(messages).flatMap((image) => (image.index === index ? [image.data.length] : [])),
      )
      return `messages.${index}.content: image exceeds 5 MB maximum: ${size} bytes > ${largestImage} bytes`
    },
    imagesMeasured: ({ index }, messages) => {
      const most = longestEdge(imagesIn(messages).length)
      const where = most === 2000 ? ' for many-image requests' : ''
      return `messages.${index}.content: At least one of the image dimensions exceed max allowed size${where}: ${most} pixels`
    },
    thinkingSigned: ({ index }, messages) => {
      const at = blocksOf(messages[index]).findIndex(({ type, signature }) => type === 'thinking' && !signature)
      return `messages.${index}.content.${at}.thinking.signature: Field required`
    },
    thinkingNotLast: ({ index }) =>
      `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`,
    thinkingFirst: ({ index }, messages) =>
      `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found ` +
      `\`${show(blocksOf(messages[index])[0]?.['type'] ?? 'text')}\`. When \`thinking\` is enabled, a final \`assistant\` ` +
      'message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).',
  }

/** An error in the format of a stream. */
export function errorEvent({ status, message, type = typeOf(status), details }: Said): object {
  return { type: 'error', error: { type, message, ...(details && { details }) } }
}

/** The error for a thinking block that came back with another text. */
export function sayThinkingChanged({ index, at }: { readonly index: number; readonly at: number }): Said {
  return bad(`messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block`)
}

/** The error for a thinking block that comes back in another conversation. */
export function sayThinkingUnbound({ index, at }: { readonly index: number; readonly at: number }): Said {
  return bad(
    `messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different ` +
      'conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block". That ' +
      'setting requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header.',
  )
}

/** The first image of a message that is not of the kind that it is said to be. */
function wronglyTyped(messages: readonly JsonFields[], index: number) {
  const images = imagesIn(messages).flatMap(({ index: at, mediaType, data }) =>
    at === index ? [{ mediaType, found: imageFacts(bytesOfBase64(data, 256 * 1024))?.mediaType }] : [],
  )
  return images.find(({ mediaType, found }) => mediaType !== found) ?? { mediaType: '', found: undefined }
}

function bad(message: string): Said {
  return { status: 400, message }
}

function sayBody({ path, kind, expected, message }: BodyFault): Said {
  const place = path.join('.')
  if (kind === 'rule') return bad(message)
  if (kind === 'missing') return bad(`${place}: Field required`)
  return bad(`${place}: ${kind === 'type' ? `Input should be a valid ${pythonType(expected)}` : message}`)
}

function sayTool({ index, kind, path, message }: ToolFault): Said {
  const at = `tools.${index}.custom`
  switch (kind) {
    case 'name':
      return bad(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
    case 'duplicate':
      return bad('tools: Tool names must be unique.')
    case 'type':
      return bad(`${at}.input_schema.type: Input should be 'object'`)
    case 'schema':
      return bad(
        `${at}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 ` +
          `(${path.join('.') || 'root'}: ${message}).`,
      )
    default:
      return kind satisfies never
  }
}

function unanswered(messages: readonly JsonFields[], index: number): readonly string[] {
  const results = blocksOf(messages[index + 1]).map(({ tool_use_id: id }) => id)
  return blocksOf(messages[index]).flatMap(({ type, id }) =>
    type === 'tool_use' && !results.includes(id) ? [show(id)] : [],
  )
}

function useAt(messages: readonly JsonFields[], index: number, isWrong: (block: JsonFields) => boolean): string {
  const at = blocksOf(messages[index]).findIndex((block) => block['type'] === 'tool_use' && isWrong(block))
  return `messages.${index}.content.${at}.tool_use`
}

function blocksOf(message: JsonFields | undefined): readonly JsonFields[] {
  return listOf(message?.['content'])
}

function pythonType(expected: string): string {
  if (expected === 'object') return 'dictionary'
  return expected === 'array' ? 'list' : expected
}

function typeOf(status: number): string {
  return (
    {
      400: 'invalid_request_error',
      401: 'authentication_error',
      403: 'permission_error',
      404: 'not_found_error',
      413: 'request_too_large',
      429: 'rate_limit_error',
      503: 'overloaded_error',
      529: 'overloaded_error',
    }[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  )
}
