import { documentType, type FilePart, type Message, type Part } from '@loader/session-core'
import { mostTokens, storedTextTokens, textTokens, type Tokenizer } from './text-tokens.ts'

/** The tokens of a message, call or result in addition to its text: role, ids, delimiters. */
const frameTokens = 4
/** The assumed tokens of an image: the length of its base64 is unrelated to them, and its size is bounded. */
const imageTokens = 1500
/** Bytes of a document in base64 for a token: a page has some 3,000 tokens, and some tens of kilobytes. */
const documentBytesPerToken = 20

/** Kept, because messages never change and the window is measured before each request. */
interface Memory {
  readonly tokens: WeakMap<Message, number>
  /** The last list that begins with a message. */
  readonly lists: WeakMap<Message, MeasuredList>
}

const known: Memory = { tokens: new WeakMap(), lists: new WeakMap() }
const counted = new WeakMap<Tokenizer, Memory>()

/** Tokens of one message. The text of a result is counted once. */
export function messageTokens(message: Message, tokenizer?: Tokenizer): number {
  const memory = memoryOf(tokenizer).tokens
  const remembered = memory.get(message)
  if (remembered !== undefined) return remembered
  const tokens = message.content.reduce((sum, part) => sum + partTokens(part, tokenizer), frameTokens)
  memory.set(message, tokens)
  return tokens
}

/** Tokens of several messages: exact with a tokenizer, otherwise estimated. */
export function messagesTokens(listed: Iterable<Message>, tokenizer?: Tokenizer): number {
  // A copy, because the caller may change the list afterwards.
  const messages = [...listed]
  const [first] = messages
  if (first === undefined) return 0
  const { lists } = memoryOf(tokenizer)
  const before = lists.get(first) ?? noList
  const same = sameAtTheStart(messages, before.messages)
  const sums = before.sums.slice(0, same)
  let tokens = sums.at(-1) ?? 0
  for (const message of messages.slice(same)) {
    tokens += messageTokens(message, tokenizer)
    sums.push(tokens)
  }
  lists.set(first, { messages, sums })
  return tokens
}

/** At least the tokens of several messages: what was estimated of a list before, and for the rest the most that is possible. */
export function mostMessagesTokens(messages: readonly Message[]): number {
  const most = messagesTokens(messages, mostTokens)
  const [first] = messages
  const before = first && known.lists.get(first)
  if (first === undefined || before === undefined) return most
  const last = sameAtTheStart(messages, before.messages) - 1
  const sums = memoryOf(mostTokens).lists.get(first)?.sums
  return most + (before.sums[last] ?? 0) - (sums?.[last] ?? 0)
}

/** A list that was measured, and the tokens of it up to each message. A window mostly begins like the one before. */
interface MeasuredList {
  readonly messages: readonly Message[]
  readonly sums: readonly number[]
}

const noList: MeasuredList = { messages: [], sums: [] }

function sameAtTheStart(one: readonly Message[], other: readonly Message[]): number {
  const most = Math.min(one.length, other.length)
  for (let at = 0; at < most; at += 1) if (one[at] !== other[at]) return at
  return most
}

function memoryOf(tokenizer: Tokenizer | undefined): Memory {
  if (tokenizer === undefined) return known
  const kept = counted.get(tokenizer)
  if (kept !== undefined) return kept
  const memory = { tokens: new WeakMap<Message, number>(), lists: new WeakMap<Message, MeasuredList>() }
  counted.set(tokenizer, memory)
  return memory
}

function partTokens(part: Part, tokenizer: Tokenizer | undefined): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return storedTextTokens(part.text, tokenizer)
    case 'call': {
      const { name, input, malformed } = part.call
      return frameTokens + textTokens(name, tokenizer) + textTokens(malformed ?? JSON.stringify(input), tokenizer)
    }
    case 'result':
      return frameTokens + storedTextTokens(part.text, tokenizer) + filesTokens(part.files)
    case 'file':
      return filesTokens([part])
    default:
      return part satisfies never
  }
}

function filesTokens(files: readonly FilePart[] = []): number {
  return files.reduce((sum, file) => sum + fileTokens(file), 0)
}

function fileTokens({ mediaType, source }: FilePart): number {
  if (mediaType !== documentType || source.kind !== 'base64') return imageTokens
  const bytes = typeof source.data === 'string' ? source.data.length : source.data.bytes
  return Math.max(imageTokens, Math.ceil(bytes / documentBytesPerToken))
}
