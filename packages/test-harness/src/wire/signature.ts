import { createHash } from 'node:crypto'
import type { ReasoningPart } from '@loader/session-core'
import { type JsonFields, fieldsOf, isObject, listOf } from '../history-faults/check.ts'
import { partsOf } from '../script/answer.ts'
import type { WireScriptLine } from './wire-script.ts'

/**
 * The signature of a thinking block: that of the script, or one computed from the text, and from what stood before it
 * where the model binds its thoughts to that.
 */
export function signatureOf(
  text: string,
  { providerMetadata }: Pick<ReasoningPart, 'providerMetadata'> = {},
  binding?: string,
): string {
  const { signature } = fieldsOf(providerMetadata?.['anthropic'])
  if (typeof signature === 'string') return signature
  const ofText = createHash('sha256').update(text).digest('base64')
  return binding === undefined ? ofText : `${ofText}.${binding}`
}

/**
 * Stands for instructions, tools and the messages before an answer, if the model binds its thoughts to them. Thoughts
 * do not count, because the oldest of them may be left out; marks do not count either.
 */
export function bindingOf(body: JsonFields, before: number): string | undefined {
  if (!/claude-fable-5-[12]/.test(String(body['model']))) return undefined
  const messages = listOf(body['messages'])
    .slice(0, before)
    .map(({ role, content }) => [
      role,
      Array.isArray(content) ? content.filter((block) => !isThinking(block)) : content,
    ])
  const text = JSON.stringify([body['system'], body['tools'], messages], (_key, value: unknown) => inOrder(value))
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/** With its keys in one order, and without marks. */
function inOrder(value: unknown): unknown {
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([key]) => key !== 'cache_control')
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The first thinking block behind another beginning of the conversation than the one it was thought in. */
export function unboundThinking(body: JsonFields): { readonly index: number; readonly at: number } | undefined {
  for (const [index, { content }] of listOf(body['messages']).entries()) {
    const binding = bindingOf(body, index)
    const at = listOf(content).findIndex(({ type, signature }) => {
      const [, bound] = type === 'thinking' && typeof signature === 'string' ? signature.split('.') : []
      return bound !== undefined && binding !== undefined && bound !== binding
    })
    if (at >= 0) return { index, at }
  }
  return undefined
}

function isThinking(block: unknown): boolean {
  const { type } = fieldsOf(block)
  return type === 'thinking' || type === 'redacted_thinking'
}

/** The first thinking block whose text differs from the signed one. */
export function changedThinking(
  messages: readonly JsonFields[],
  lines: readonly WireScriptLine[],
): { readonly index: number; readonly at: number } | undefined {
  const scripted = lines.flatMap((line) =>
    typeof line === 'function'
      ? []
      : partsOf(line).flatMap((part) =>
          part.type === 'reasoning' ? [`${signatureOf(part.text, part)} ${part.text}`] : [],
        ),
  )
  for (const [index, { content }] of messages.entries()) {
    const at = listOf(content).findIndex(({ type, thinking, signature }) => {
      if (type !== 'thinking' || typeof thinking !== 'string' || typeof signature !== 'string') return false
      return signature.split('.')[0] !== signatureOf(thinking) && !scripted.includes(`${signature} ${thinking}`)
    })
    if (at >= 0) return { index, at }
  }
  return undefined
}
