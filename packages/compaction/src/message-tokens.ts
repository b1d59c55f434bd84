import type { FilePart, Message, Part } from '@loader/session-core'
import { storedTextTokens, textTokens, type Tokenizer } from './text-tokens.ts'

/** The tokens of a message, call or result in addition to its text: role, ids, delimiters. */
const frameTokens = 4
/** The assumed tokens of an image or document, because the length of its base64 is unrelated to its tokens. */
const fileTokens = 1500

// Cached, because messages never change and the window is measured before each request.
const known = new WeakMap<Message, number>()
const counted = new WeakMap<Tokenizer, WeakMap<Message, number>>()

/** Tokens of one message. The text of a result is counted once. */
export function messageTokens(message: Message, tokenizer?: Tokenizer): number {
  const memory = memoryOf(tokenizer)
  const remembered = memory.get(message)
  if (remembered !== undefined) return remembered
  const tokens = message.content.reduce((sum, part) => sum + partTokens(part, tokenizer), frameTokens)
  memory.set(message, tokens)
  return tokens
}

/** Tokens of several messages: exact with a tokenizer, otherwise estimated. */
export function messagesTokens(messages: Iterable<Message>, tokenizer?: Tokenizer): number {
  let tokens = 0
  for (const message of messages) tokens += messageTokens(message, tokenizer)
  return tokens
}

function memoryOf(tokenizer: Tokenizer | undefined): WeakMap<Message, number> {
  if (tokenizer === undefined) return known
  const memory = counted.get(tokenizer) ?? new WeakMap<Message, number>()
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
  return files.length * fileTokens
}
