import { type BackgroundNow, backgroundEndWords, type ToolResult } from '@loader/session-core/coding'
import type { BackgroundCommands } from '@loader/workspace'

/** What the model was told last of each command, so that it is told once. */
const told = new WeakMap<BackgroundCommands, Map<string, string>>()

/** A line about each background command that has changed since the model was told of it. */
export function newsOf(background: BackgroundCommands, sessionId: string): readonly string[] {
  const known = told.get(background) ?? new Map<string, string>()
  told.set(background, known)
  return background.now(sessionId).flatMap((command) => {
    const key = `${sessionId} ${command.id}`
    const line = standingLine(command)
    const before = known.get(key)
    known.set(key, line)
    // What was over before this process began is told by the session.
    const isNew = before === undefined ? command.ended === undefined : before !== line
    return isNew ? [line] : []
  })
}

export function withNews(result: ToolResult, background: BackgroundCommands, sessionId: string): ToolResult {
  const lines = newsOf(background, sessionId)
  return lines.length === 0 ? result : { ...result, text: [result.text, ...lines].join('\n') }
}

/** Where a command stands, in a line; and a line for each thing of it that was set aside. */
export function standingLine(command: BackgroundNow): string {
  return [standing(command), ...(command.setAside ?? []).map((each) => `[${each}]`)].join('\n')
}

function standing({ id, ended, ports, published }: BackgroundNow): string {
  if (ended !== undefined) return `[${id} ${backgroundEndWords(ended)}.]`
  const at = ports.map(({ port, on }) => `${port}${on === 'machine' ? ' of this machine' : ''}`)
  const shown = published.map(({ port, hostPort }) => `, port ${port} is http://127.0.0.1:${hostPort} for the user`)
  return `[${id} goes on${at.length === 0 ? '' : `, and listens on port ${at.join(', ')}`}${shown.join('')}.]`
}
