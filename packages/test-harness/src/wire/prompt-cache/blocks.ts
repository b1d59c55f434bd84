import { createHash } from 'node:crypto'
import { type JsonFields, fieldsOf, listOf } from '../../history-faults/check.ts'

/** How long an entry lives. */
export type CacheTime = '5m' | '1h'

/** A block of a request, in the order in which Anthropic reads it: tools, instructions, messages. */
export interface CacheBlock {
  /** The place in the body, as errors name it. */
  readonly place: string
  readonly type: string
  /** Stands for the block and everything before it. */
  readonly prefix: string
  /** The estimated tokens up to and with the block: a quarter of the bytes. */
  readonly tokens: number
  readonly mark: CacheTime | undefined
  readonly isEmptyText: boolean
}

interface RawBlock {
  readonly place: string
  readonly block: JsonFields
  /** What besides its own content the block depends on. */
  readonly context: string
}

/** The blocks of the body of a request for messages. */
export function cacheBlocks(value: unknown): readonly CacheBlock[] {
  const body = fieldsOf(value)
  const raw = [...toolsIn(body), ...systemIn(body), ...messagesIn(body)]
  const automatic = markOf(body)
  const last = automatic === undefined ? -1 : raw.findLastIndex(({ block }) => mayHaveMark(block))
  // Each model has a cache of its own.
  let prefix = String(body['model'])
  let bytes = 0
  return raw.map(({ place, block, context }, at) => {
    const { cache_control: _mark, ...content } = block
    const text = JSON.stringify(content)
    prefix = createHash('sha256').update(`${prefix}\n${context}\n${text}`).digest('hex')
    bytes += new TextEncoder().encode(text).length
    return {
      place,
      type: typeOf(block),
      prefix,
      tokens: Math.ceil(bytes / 4),
      mark: markOf(block) ?? (at === last ? automatic : undefined),
      isEmptyText: isEmptyText(block),
    }
  })
}

function toolsIn({ tools }: JsonFields): RawBlock[] {
  return listOf(tools).map((block, at) => ({ place: `tools.${at}`, block, context: 'tools' }))
}

function systemIn({ system, speed }: JsonFields): RawBlock[] {
  return contentOf(system).map((block, at) => ({
    place: `system.${at}`,
    block,
    context: `system ${JSON.stringify(speed)}`,
  }))
}

function messagesIn(body: JsonFields): RawBlock[] {
  const messages = listOf(body['messages'])
  const settings = JSON.stringify([
    body['tool_choice'],
    body['thinking'],
    fieldsOf(body['output_config'])['effort'],
    messages.some(({ content }) => JSON.stringify(content)?.includes('"type":"image"')),
  ])
  const forgotten = forgetsThoughts(String(body['model'])) ? lastWordsOfUser(messages) : 0
  return messages.flatMap(({ role, content }, index) =>
    contentOf(content).flatMap((block, at) => {
      if (index < forgotten && isThinking(block)) return []
      return [{ place: `messages.${index}.content.${at}`, block, context: `${String(role)} ${settings}` }]
    }),
  )
}

/** Models that keep the thoughts of the current turn alone. */
function forgetsThoughts(model: string): boolean {
  return /claude-(3|opus-4(-[01](?!\d)|[-@]\d{8}|$)|sonnet-4(-[05](?!\d)|[-@]\d{8}|$)|haiku-(3|4))/.test(model)
}

/** The index of the last message that holds more than results, with which a turn begins. */
function lastWordsOfUser(messages: readonly JsonFields[]): number {
  return messages.findLastIndex(
    ({ role, content }) => role === 'user' && contentOf(content).some(({ type }) => type !== 'tool_result'),
  )
}

function contentOf(content: unknown): readonly JsonFields[] {
  if (typeof content !== 'string') return listOf(content)
  return content === '' ? [] : [{ type: 'text', text: content }]
}

function markOf({ cache_control: mark }: JsonFields): CacheTime | undefined {
  const { type, ttl } = fieldsOf(mark)
  if (type !== 'ephemeral') return undefined
  return ttl === '1h' ? '1h' : '5m'
}

function mayHaveMark(block: JsonFields): boolean {
  return !isThinking(block) && !isEmptyText(block)
}

export function isThinking({ type }: JsonFields | CacheBlock): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

function isEmptyText({ type, text }: JsonFields): boolean {
  return type === 'text' && text === ''
}

function typeOf({ type }: JsonFields): string {
  return typeof type === 'string' ? type : 'tool'
}
