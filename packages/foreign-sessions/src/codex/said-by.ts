import type { FilePart } from '@loader/session-core'
import type { ResponseMessage } from './records.ts'

/** What the program says to the model under the role of the user. */
const ofProgram =
  /^\s*(?:<(?:environment_context|turn_aborted|user_instructions|permissions|skills_instructions|tools|user_shell_command|subagent_notification)\b|# AGENTS\.md instructions)/

/** Whether somebody has typed it: the message says so, or the screen has shown it, or it is none of what programs say. */
export function isTyped(message: ResponseMessage, shown: ReadonlySet<string>): boolean {
  if (message.role !== 'user') return false
  const kinds = message.internal_chat_message_metadata_passthrough?.content_item_kinds ?? []
  if (kinds.length > 0) return kinds.some((kind) => kind.startsWith('user.'))
  const text = messageText(message)
  return shown.has(text.trim()) || !ofProgram.test(text)
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
