import { type AiSdkMessage, type Message, type ModelRequest, toModelMessages } from '@loader/session-core'
import type { LanguageModelV3Message, LanguageModelV4Message, LanguageModelV4TextPart } from '@ai-sdk/provider'
import { withCallsInWords } from './calls-in-words.ts'
import { withFilesApart } from './files-apart.ts'
import { foreignAnswerPart, foreignToolPart } from './foreign-prompt-part.ts'
import { withPlainNames } from './plain-names.ts'
import { promptFile } from './prompt-file.ts'
import { resultOutput } from './prompt-result.ts'
import { promptV3 } from './prompt-v3.ts'
import { type Before, SpokenPrompts } from './spoken-prompts.ts'

type MessageOf<Role extends AiSdkMessage['role']> = Extract<AiSdkMessage, { role: Role }>
type PromptOf<Role extends LanguageModelV4Message['role']> = Extract<LanguageModelV4Message, { role: Role }>
type PromptPart<Role extends 'user' | 'assistant' | 'tool'> = PromptOf<Role>['content'][number]

/** The prompts of one backend, for models of either specification. */
export interface Prompts {
  readonly v4: (request: ModelRequest) => LanguageModelV4Message[]
  readonly v3: (request: ModelRequest) => LanguageModelV3Message[]
}

/** What a provider takes. */
export interface Takes {
  /** Which ids of calls; absent: those that all take. */
  readonly acceptsCallId?: (id: string) => boolean
  /** Where files of results may stand; absent: in them. */
  readonly filesOfResults?: 'from the user'
}

export function promptsFor(takes: Takes = {}): Prompts {
  return { v4: promptsOf((prompt) => prompt, takes), v3: promptsOf(promptV3, takes) }
}

/**
 * Converts the messages of a request to a prompt. Content that providers refuse is left out: blank text, answers with
 * only reasoning, and empty messages. Content that some providers do not accept becomes text: instructions in the
 * middle of a conversation, and calls in a request without tools.
 */
function promptsOf<Said extends { readonly role: string }>(
  inVersion: (prompt: LanguageModelV4Message[]) => Said[],
  { acceptsCallId, filesOfResults }: Takes,
): (request: ModelRequest) => Said[] {
  const placed = filesOfResults === undefined ? (exchange: readonly Message[]) => exchange : withFilesApart
  const spokenBy = (told: typeof withPlainNames) =>
    new SpokenPrompts<Said>((exchange, before) => inVersion(exchangeOf(placed(told(exchange)), before)), acceptsCallId)
  const [withCalls, withoutCalls] = [spokenBy(withPlainNames), spokenBy(withCallsInWords)]
  return ({ system, messages, tools }) => {
    const instructions = system === '' ? [] : inVersion([{ role: 'system', content: system }])
    return [...instructions, ...(tools.length > 0 ? withCalls : withoutCalls).of(messages)]
  }
}

function exchangeOf(exchange: readonly Message[], { ids, hasBegun }: Before): LanguageModelV4Message[] {
  return toModelMessages(ids.put(exchange), 'ai-sdk')
    .map((message) => promptMessage(hasBegun ? asWords(message) : message))
    .filter(saysSomething)
}

function asWords(message: AiSdkMessage): AiSdkMessage {
  if (message.role !== 'system') return message
  return { role: 'user', content: `<instructions>\n${message.content}\n</instructions>` }
}

function promptMessage(message: AiSdkMessage): LanguageModelV4Message {
  const options = message.providerOptions && { providerOptions: message.providerOptions }
  switch (message.role) {
    case 'system':
      return { role: message.role, content: message.content, ...options }
    case 'user':
      return { role: message.role, content: userParts(message.content), ...options }
    case 'assistant':
      return { role: message.role, content: answerParts(message.content), ...options }
    case 'tool':
      return { role: message.role, content: toolParts(message.content), ...options }
    default:
      return message satisfies never
  }
}

function userParts(content: MessageOf<'user'>['content']): PromptPart<'user'>[] {
  if (typeof content === 'string') return said({ type: 'text', text: content })
  return content.flatMap((part): PromptPart<'user'>[] => (part.type === 'text' ? said(part) : [promptFile(part)]))
}

function answerParts(content: MessageOf<'assistant'>['content']): PromptPart<'assistant'>[] {
  if (typeof content === 'string') return said({ type: 'text', text: content })
  return content.flatMap((part): PromptPart<'assistant'>[] => {
    switch (part.type) {
      case 'text':
        return said(part)
      case 'reasoning':
        return [part]
      case 'file':
        return [promptFile(part)]
      case 'tool-call':
        return [{ ...part, input: objectOf(part.input) }]
      default:
        return foreignAnswerPart(part)
    }
  })
}

function toolParts(content: MessageOf<'tool'>['content']): PromptPart<'tool'>[] {
  return content.flatMap((part) =>
    part.type === 'tool-result' ? [{ ...part, output: resultOutput(part.output) }] : foreignToolPart(part),
  )
}

function said(part: LanguageModelV4TextPart): LanguageModelV4TextPart[] {
  return part.text.trim() === '' && part.providerOptions === undefined ? [] : [part]
}

/** Some providers refuse the whole history if the arguments of a call are not an object. */
function objectOf(input: unknown): object {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}
}

function saysSomething({ role, content }: LanguageModelV4Message): boolean {
  return role === 'assistant' ? content.some(({ type }) => type !== 'reasoning') : content.length > 0
}
