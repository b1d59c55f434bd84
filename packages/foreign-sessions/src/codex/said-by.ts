import { createHash } from 'node:crypto'
import type { FilePart } from '@loader/session-core'
import type { ResponseMessage } from './records.ts'

/** Text that the program sends to the model with the role `user`. */
const ofProgram =
  /^\s*(?:<(?:environment_context|turn_aborted|user_instructions|permissions|skills_instructions|tools|user_shell_command|subagent_notification)\b|# AGENTS\.md instructions)/

/** A text sent to the model with the role `user`, and its author as far as the message shows it. */
export interface UserWords {
  readonly key: string
  readonly typed: 'yes' | 'no' | 'where the screen shows it'
}

export function userWords(message: ResponseMessage): UserWords | undefined {
  if (message.role !== 'user') return undefined
  const text = messageText(message)
  const key = keyOf(text)
  const kinds = message.internal_chat_message_metadata_passthrough?.content_item_kinds ?? []
  if (kinds.length > 0) return { key, typed: kinds.some((kind) => kind.startsWith('user.')) ? 'yes' : 'no' }
  return { key, typed: ofProgram.test(text) ? 'where the screen shows it' : 'yes' }
}

/** Whether the user typed it: the message says so, or the screen has shown it as a prompt. */
export function isTyped(words: UserWords | undefined, shown: ReadonlySet<string>): words is UserWords {
  if (words === undefined || words.typed === 'no') return false
  return words.typed === 'yes' || shown.has(words.key)
}

/** A short key for comparing texts, because the prompts of a session can be long. */
export function keyOf(text: string): string {
  const trimmed = text.trim()
  return trimmed.length <= 64 ? trimmed : createHash('sha256').update(trimmed).digest('base64')
}

export function messageText({ content }: ResponseMessage): string {
  return content.flatMap(({ text }) => text ?? []).join('\n')
}

export function messageFiles({ content }: ResponseMessage): FilePart[] {
  return content.flatMap(({ type, image_url: url }): FilePart[] => {
    if (type !== 'input_image' || url === undefined || url === '') return []
    const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
    if (mediaType !== undefined && data !== undefined)
      return [{ type: 'file', mediaType, source: { kind: 'base64', data } }]
    return [{ type: 'file', mediaType: 'image/*', source: { kind: 'url', url } }]
  })
}
