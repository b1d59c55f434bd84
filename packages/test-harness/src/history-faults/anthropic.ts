import { bytesOfBase64, imageFacts } from '@loader/session-core'
import {
  callIdsUnique,
  type CallFields,
  type Checks,
  eachCall,
  type JsonFields,
  fieldsOf,
  inputIsObject,
  listOf,
  messagesPresent,
  rolesKnown,
  show,
} from './check.ts'

const longestName = 200

export const largestImage = 5 * 1024 * 1024

/** Pixels of an edge, in a request with so many images. */
export function longestEdge(images: number): number {
  return images > 20 ? 2000 : 8000
}

interface ImageFields {
  readonly index: number
  readonly mediaType: string
  readonly data: string
}

/** The images of all messages in base64, those in results too. */
export function imagesIn(messages: readonly JsonFields[]): readonly ImageFields[] {
  return messages.flatMap((message, index) => {
    const blocks = blocksOf(message)
    const inResults = blocks.flatMap(({ type, content }) => (type === 'tool_result' ? listOf(content) : []))
    return [...blocks, ...inResults].flatMap(({ type, source }): ImageFields[] => {
      const { type: kind, media_type: mediaType, data } = fieldsOf(source)
      if (type !== 'image' || kind !== 'base64' || typeof data !== 'string') return []
      return [{ index, mediaType: show(mediaType), data }]
    })
  })
}

/** Anthropic messages. */
export const anthropicChecks: Checks<'anthropic'> = {
  messagesPresent,
  rolesKnown: rolesKnown('user', 'assistant', 'system'),
  callIdsUnique: callIdsUnique(callsOf),
  argumentsAreObject: eachCall(callsOf, inputIsObject),

  callIdsWellFormed: eachCall(callsOf, ({ id }) =>
    typeof id === 'string' && /^[a-zA-Z0-9_-]+$/.test(id)
      ? undefined
      : 'has an id with other characters than letters, digits, _ and -',
  ),

  callNamesWellFormed: eachCall(callsOf, ({ name }) =>
    typeof name === 'string' && name.length > 0 && name.length <= longestName
      ? undefined
      : `calls a tool whose name is not a text of 1 to ${longestName} characters`,
  ),

  *beginsWithUser(messages) {
    const first = messages.findIndex(({ role }) => role !== 'system')
    const role = messages[first]?.['role']
    if (role !== undefined && role !== 'user') yield [first, `the first message is from ${show(role)}`]
  },

  *noSystemRole(messages) {
    for (const [index, { role }] of messages.entries()) {
      if (role === 'system') yield [index, 'instructions go into the field system of the request']
    }
  },

  *systemInPlace(messages) {
    for (const [index, { role }] of messages.entries()) {
      if (role !== 'system') continue
      const [before, after] = [messages[index - 1]?.['role'], messages[index + 1]?.['role']]
      if (before !== 'user')
        yield [index, `it follows ${before === undefined ? 'nothing' : show(before)}, not the user`]
      else if (after !== undefined && after !== 'assistant') yield [index, `${show(after)} follows, not the assistant`]
    }
  },

  *callsAnswered(messages) {
    for (const [index, message] of messages.entries()) {
      const answered = new Set(resultsOf(messages[index + 1] ?? {}).map(({ tool_use_id: id }) => id))
      for (const { id } of callsOf(message)) {
        if (!answered.has(id)) yield [index, `call ${show(id)} has no tool_result in the next message`]
      }
    }
  },

  *answeredOnce(messages) {
    for (const [index, message] of messages.entries()) {
      const seen = new Set<unknown>()
      for (const { tool_use_id: id } of resultsOf(message)) {
        if (seen.has(id)) yield [index, `call ${show(id)} has a result already`]
        seen.add(id)
      }
    }
  },

  *resultsHaveCalls(messages) {
    for (const [index, message] of messages.entries()) {
      const called = new Set(callsOf(messages[index - 1] ?? {}).map(({ id }) => id))
      for (const { tool_use_id: id } of resultsOf(message)) {
        if (!called.has(id)) yield [index, `the message before makes no call ${show(id)}`]
      }
    }
  },

  *resultsFirst(messages) {
    for (const [index, message] of messages.entries()) {
      if (message['role'] !== 'user') continue
      const types = blocksOf(message).map(({ type }) => type)
      const other = types.findIndex((type) => type !== 'tool_result')
      if (other >= 0 && types.lastIndexOf('tool_result') > other)
        yield [index, `${show(types[other])} stands before a tool_result`]
    }
  },

  *callsLast(messages) {
    for (const [index, message] of messages.entries()) {
      if (message['role'] !== 'assistant') continue
      const types = blocksOf(message).map(({ type }) => type)
      const first = types.indexOf('tool_use')
      const behind = first < 0 ? undefined : types.slice(first).find((type) => type !== 'tool_use')
      if (behind !== undefined) yield [index, `${show(behind)} stands behind a tool_use`]
    }
  },

  *blocksInRole(messages) {
    for (const [index, message] of messages.entries()) {
      for (const { type } of blocksOf(message)) {
        if (type === 'tool_use' && message['role'] === 'user') yield [index, 'the user makes a call']
        if (type === 'tool_result' && message['role'] === 'assistant') yield [index, 'the assistant brings a result']
      }
    }
  },

  *contentPresent(messages) {
    for (const [index, { role, content }] of messages.entries()) {
      const mayBeEmpty = role === 'assistant' && index === messages.length - 1
      const isEmpty = content === '' || (Array.isArray(content) ? content.length === 0 : typeof content !== 'string')
      if (isEmpty && !mayBeEmpty) yield [index, 'content is missing or empty']
    }
  },

  *textNotBlank(messages) {
    for (const [index, message] of messages.entries()) {
      if (textsOf(message).some((text) => text.trim() === '')) yield [index, 'a text is blank; leave it out']
    }
  },

  *noTrailingSpace(messages) {
    const last = messages.at(-1) ?? {}
    const { content } = last
    const end = typeof content === 'string' ? content : listOf(content).at(-1)?.['text']
    if (last['role'] === 'assistant' && typeof end === 'string' && /\S\s+$/.test(end)) {
      yield [messages.length - 1, 'the answer to be continued ends in white space']
    }
  },

  *endsWithUser(messages) {
    if (messages.at(-1)?.['role'] === 'assistant') yield [messages.length - 1, 'the last message is from the assistant']
  },

  *imagesTyped(messages) {
    for (const { index, mediaType, data } of imagesIn(messages)) {
      const found = imageFacts(bytesOfBase64(data, 256 * 1024))?.mediaType
      if (found !== mediaType) yield [index, `an image is said to be ${mediaType}, and is ${found ?? 'none'}`]
    }
  },

  *imagesSmall(messages) {
    for (const { index, data } of imagesIn(messages)) {
      if (data.length > largestImage) yield [index, `an image has ${data.length} bytes`]
    }
  },

  *imagesMeasured(messages) {
    const images = imagesIn(messages)
    const most = longestEdge(images.length)
    for (const { index, data } of images) {
      const { width = 0, height = 0 } = imageFacts(bytesOfBase64(data, 256 * 1024)) ?? {}
      if (Math.max(width, height) > most) yield [index, `an image has ${width} x ${height} pixels`]
    }
  },

  *thinkingSigned(messages) {
    for (const [index, message] of messages.entries()) {
      for (const { type, signature } of blocksOf(message)) {
        const isSigned = typeof signature === 'string' && signature !== ''
        if (type === 'thinking' && !isSigned) yield [index, 'a thinking block has no signature']
      }
    }
  },

  *thinkingNotLast(messages) {
    const last = messages.at(-1) ?? {}
    const end = blocksOf(last).at(-1)
    if (last['role'] === 'assistant' && isThinking(end))
      yield [messages.length - 1, 'the last message ends in thinking']
  },

  *thinkingFirst(messages) {
    const index = beginOfTurn(messages)
    const first = blocksOf(messages[index] ?? {})[0]
    if (index >= 0 && !isThinking(first)) yield [index, `it begins with ${show(first?.['type'])}, not with thinking`]
  },
}

/**
 * The index of the assistant's first message in the turn that ends the history, or -1 when no turn is open. Calls and
 * results in a row are one turn, and only its first message must contain thinking.
 */
function beginOfTurn(messages: readonly JsonFields[]): number {
  let begin = -1
  let isAnswered = false
  for (const [index, message] of [...messages.entries()].toReversed()) {
    if (message['role'] !== 'assistant') {
      const isBehind = messages[index + 1]?.['role'] === 'user'
      isAnswered = (isBehind && isAnswered) || resultsOf(message).length > 0
      continue
    }
    if (!isAnswered) break
    begin = index
  }
  return begin
}

function blocksOf({ content }: JsonFields): readonly JsonFields[] {
  return listOf(content)
}

function callsOf(message: JsonFields): CallFields[] {
  if (message['role'] !== 'assistant') return []
  return blocksOf(message).flatMap(({ type, id, name, input }) => (type === 'tool_use' ? [{ id, name, input }] : []))
}

function resultsOf(message: JsonFields): readonly JsonFields[] {
  return message['role'] === 'user' ? blocksOf(message).filter(({ type }) => type === 'tool_result') : []
}

/** The texts of a message. Empty content is reported by another rule. */
function textsOf({ content }: JsonFields): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content]
  return listOf(content).flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
}

function isThinking(block: JsonFields | undefined): boolean {
  return block?.['type'] === 'thinking' || block?.['type'] === 'redacted_thinking'
}
