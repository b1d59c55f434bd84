import {
  CallPart,
  FilePart,
  FinishReason,
  Id,
  type Immutable,
  JsonValue,
  type ModelRequest,
  ReasoningPart,
  TextPart,
  Usage,
} from '@loader/session-core'
import * as z from 'zod'
import { Fault } from './fault.ts'

/** A tool call in a script; missing fields are filled in. */
export const ScriptedCall = z.strictObject({
  name: z.string().min(1).describe('name of the tool'),
  input: z.optional(JsonValue).describe('arguments; absent means an empty object'),
  id: z.optional(Id).describe('the id that the provider gives; absent ones are counted through the script'),
  raw: z.string().optional().describe('the arguments as the model writes them, JSON or not, instead of `input`'),
})
export type ScriptedCall = Immutable<z.infer<typeof ScriptedCall>>

/** A part of a scripted answer. */
export const ScriptedPart = z.discriminatedUnion('type', [
  z.object({ ...TextPart.shape, text: z.string() }),
  z.object({ ...ReasoningPart.shape, text: z.string() }),
  FilePart,
  z.object({ ...CallPart.shape, call: ScriptedCall }),
])
export type ScriptedPart = Immutable<z.infer<typeof ScriptedPart>>

/** The pieces in which a scripted text arrives. */
export const TextChunks = z.union([
  z.enum(['whole', 'word', 'character']),
  z.array(z.string()).min(1).describe('exactly these pieces, which make up the text'),
])
export type TextChunks = Immutable<z.infer<typeof TextChunks>>

/** The pieces in which a scripted answer arrives: its text, and the arguments of its calls. */
export const Chunks = z.union([
  TextChunks,
  z.strictObject({
    text: TextChunks.optional().describe('absent means whole'),
    arguments: z.int().min(1).optional().describe('characters in a fragment of the arguments of calls; absent: whole'),
  }),
])
export type Chunks = Immutable<z.infer<typeof Chunks>>

/** One line of a script: the answer to one request, how it arrives, and its faults. */
export const Completion = z
  .strictObject({
    text: z.string().optional().describe('absent with a list of chunks: those together'),
    calls: z.array(ScriptedCall).optional().describe('come after the text'),
    reasoning: z.string().optional().describe('comes before the text'),
    content: z.array(ScriptedPart).optional().describe('the whole answer in its order, instead of the three above'),
    usage: z.optional(Usage).describe('absent means that the model does not tell'),
    finishReason: z.optional(FinishReason).describe('absent means tool-calls when there are calls, or else stop'),
    chunks: Chunks.optional().describe('how the answer arrives; absent means whole'),
    fault: Fault.optional().describe('what goes wrong'),
  })
  .superRefine((line, context) => {
    const short = [line.text, line.calls, line.reasoning].some((part) => part !== undefined)
    const pieces = piecesOf(line)
    if (line.content && (short || pieces))
      context.addIssue('content stands alone, without text, calls, reasoning or pieces')
    if (pieces && line.text !== undefined && pieces.join('') !== line.text)
      context.addIssue('the pieces in chunks do not make up the text')
    if (faultsCall(line.fault) && callsIn(line) === 0) context.addIssue(`${line.fault?.type} needs a call`)
  })
export type Completion = Immutable<z.infer<typeof Completion>>

/** A line, or a function that makes it from the request and its number in the script. */
export type ScriptLine = Completion | ((request: ModelRequest, number: number) => Completion | Promise<Completion>)

/** A script as a file. */
export const Script = z.strictObject({
  $schema: z.string().optional().describe('for editors'),
  lines: z.array(Completion).describe('one for each request, in order'),
})
export type Script = Immutable<z.infer<typeof Script>>

/** `line('On it.', call('read', { path: 'a.txt' }))`, with or without text. */
export function line(...parts: readonly (string | ScriptedCall)[]): Completion {
  const text = parts.filter((part) => typeof part === 'string')
  const calls = parts.filter((part) => typeof part !== 'string')
  return { ...(text.length > 0 && { text: text.join('') }), ...(calls.length > 0 && { calls }) }
}

/** A tool call for `line`: `line('I look.', call('read', { path: 'a.txt' }))`. */
export function call(
  name: string,
  input: JsonValue = {},
  exact: { readonly id?: string; readonly raw?: string } = {},
): ScriptedCall {
  return { name, input, ...exact }
}

/** The exact pieces in which the text arrives, if the line lists them. */
export function piecesOf({ chunks }: { readonly chunks?: Chunks | undefined }): readonly string[] | undefined {
  const text = chunks instanceof Object && 'text' in chunks ? chunks.text : chunks
  return Array.isArray(text) ? text : undefined
}

function faultsCall(fault: Fault | undefined): boolean {
  return fault?.type === 'malformed_call' || fault?.type === 'duplicate_call_id'
}

function callsIn({ calls, content }: Completion): number {
  return calls?.length ?? content?.filter(({ type }) => type === 'call').length ?? 0
}
