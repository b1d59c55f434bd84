import type { JsonObject } from '../words/json.ts'
import type { AnswerPart, CallPart, FilePart, ReasoningPart, TextPart } from '../words/message.ts'
import { plainData } from './ai-sdk-data.ts'
import { type AiSdkFileInput, AiSdkInput } from './ai-sdk-input.ts'
import type { Draft, DraftLoss, DraftMessage, DraftResult } from './draft.ts'
import { resultDraft } from './from-ai-sdk-result.ts'
import { anyImage } from './image-type.ts'
import { fieldsOf, keep, keepForMessage, withMessage } from './kept.ts'
import { parseMessage } from './parse-message.ts'

const keeper = 'aiSdk'

type InputOf<Role extends AiSdkInput['role']> = Extract<AiSdkInput, { role: Role }>
type AnswerPartInput = InputOf<'assistant'>['content'][number]
type Approval = Extract<InputOf<'tool'>['content'][number], { type: 'tool-approval-response' }>

export function fromAiSdk(messages: readonly unknown[]): Draft[] {
  const inputs = messages.map((value, index) => parseMessage(AiSdkInput, 'the AI SDK', value, index))
  const foreignCalls = new Set(inputs.flatMap(callsOfProvider))
  const drafts = inputs.flatMap((input, index): Draft[] => {
    switch (input.role) {
      case 'system':
        return [draftOf(input, index, [{ type: 'text', text: input.content }])]
      case 'user':
        return [draftOf(input, index, input.content.map(userPart))]
      case 'assistant':
        return answer(input, index, foreignCalls, approvalsBehind(inputs, index))
      case 'tool':
        return results(input, index)
      default:
        return input satisfies never
    }
  })
  return [...approvalsBehind(inputs, -1).map(lostApproval), ...drafts]
}

function draftOf(
  { role, providerOptions }: InputOf<DraftMessage['role']>,
  index: number,
  content: readonly AnswerPart[],
): DraftMessage {
  return { kind: 'message', index, role, content: keepForMessage(keeper, fieldsOf({ providerOptions }), content) }
}

/** Calls that the provider ran itself belong to its answer, like its reasoning: they are never run or answered here. */
function callsOfProvider(input: AiSdkInput): string[] {
  if (input.role !== 'assistant') return []
  return input.content.flatMap((part) => (part.type === 'tool-call' && part.providerExecuted ? [part.toolCallId] : []))
}

function answer(
  input: InputOf<'assistant'>,
  index: number,
  foreignCalls: ReadonlySet<string>,
  approvals: readonly Approval[],
): Draft[] {
  const isForeign = ({ toolCallId }: { readonly toolCallId: string }) => foreignCalls.has(toolCallId)
  const parts = input.content.filter((part) => part.type !== 'tool-result' || isForeign(part))
  const own = input.content.filter((part) => part.type === 'tool-result').filter((part) => !isForeign(part))
  return [
    draftOf(input, index, [...parts, ...approvals].map(answerPart)),
    ...own.map((part) => resultDraft(part, index)),
  ]
}

function results({ content, providerOptions }: InputOf<'tool'>, index: number): DraftResult[] {
  const [first, ...others] = content.filter((part) => part.type === 'tool-result')
  if (first === undefined) return []
  const draft = resultDraft(first, index)
  const holder = { ...draft, ...withMessage(keeper, fieldsOf({ providerOptions }), draft) }
  return [holder, ...others.map((part) => resultDraft(part, index))]
}

/** Approvals between an answer and the next one are kept with the answer that asked for them. */
function approvalsBehind(inputs: readonly AiSdkInput[], index: number): Approval[] {
  const approvals: Approval[] = []
  for (let next = index + 1; next < inputs.length; next += 1) {
    const input = inputs[next]
    if (input?.role === 'assistant') break
    if (input?.role !== 'tool') continue
    approvals.push(...input.content.filter((part) => part.type === 'tool-approval-response'))
  }
  return approvals
}

function lostApproval({ approvalId }: Approval): DraftLoss {
  const loss = `The approval ${approvalId} was left out, because no answer before it asks for one.`
  return { kind: 'loss', index: 0, loss }
}

function userPart(part: InputOf<'user'>['content'][number]): AnswerPart {
  if (part.type === 'text') return textPart(part)
  return (
    filePart(part) ?? {
      type: 'text',
      text: noteOn(part),
      ...keep(keeper, fieldsOf({ whole: fieldsOf(plainFile(part)) })),
    }
  )
}

function answerPart(part: AnswerPartInput | Approval): AnswerPart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return textPart(part)
    case 'file':
      return filePart(part) ?? foreignPart(plainFile(part))
    case 'tool-call':
      return part.providerExecuted ? foreignPart(part) : callPart(part)
    default:
      return foreignPart(part)
  }
}

interface TextInput {
  readonly type: 'text' | 'reasoning'
  readonly text: string
  readonly providerOptions?: JsonObject | undefined
}

function textPart({ type, text, providerOptions }: TextInput): TextPart | ReasoningPart {
  return { type, text, ...keep(keeper, undefined, providerOptions) }
}

function callPart({
  toolCallId,
  toolName,
  input,
  providerOptions,
}: Extract<AnswerPartInput, { type: 'tool-call' }>): CallPart {
  return { type: 'call', call: { id: toolCallId, name: toolName, input }, ...keep(keeper, undefined, providerOptions) }
}

/** A part that only the provider understands is kept like encrypted reasoning: never shown, and sent back unchanged. */
function foreignPart(part: Readonly<Record<string, unknown>>): ReasoningPart {
  return { type: 'reasoning', text: '', ...keep(keeper, fieldsOf({ whole: fieldsOf(part) })) }
}

/** Undefined when only a provider has the content. */
function filePart(part: AiSdkFileInput): FilePart | undefined {
  const data = part.type === 'image' ? part.image : part.data
  if (data.kind === 'elsewhere') return undefined
  const named = part.type === 'file' && part.filename !== undefined ? { name: part.filename } : {}
  const inline = data.kind === 'base64' ? data.mediaType : undefined
  const mediaType = inline ?? part.mediaType ?? anyImage
  // Either kind of part may hold an image.
  const isImage = part.type === 'image' || mediaType === anyImage
  return {
    type: 'file',
    mediaType,
    ...named,
    source: data.kind === 'url' ? { kind: 'url', url: data.url } : { kind: 'base64', data: data.data },
    ...keep(keeper, isImage ? { type: part.type } : undefined, part.providerOptions),
  }
}

function plainFile(part: AiSdkFileInput): Readonly<Record<string, unknown>> {
  return part.type === 'image' ? { ...part, image: plainData(part.image) } : { ...part, data: plainData(part.data) }
}

/** A note in place of a file that only a provider has; for a text file, its text. */
function noteOn(part: AiSdkFileInput): string {
  const data = part.type === 'image' ? part.image : part.data
  const { type, text } = data.kind === 'elsewhere' ? data.reference : {}
  if (type === 'text' && typeof text === 'string') return text
  const name = part.type === 'file' && part.filename !== undefined ? `file ${part.filename}` : 'file'
  return `[${name} (${part.mediaType ?? anyImage})]`
}
