import { type Message, textOf } from '@loader/session-core'
import type { Begun } from '../run/begin.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { hanging } from '../screen/hanging.ts'
import { firstLine } from '../screen/first-line.ts'
import { permissionModeOf } from '../permissions/permission-settings.ts'

/** The first lines: the model, the project, and the state of a resumed session. */
export function greeting({ agent, backend, places }: Begun, look: LineStyle): string[] {
  const { paint, columns } = look
  const { id, state, recovery } = agent.session
  const dim = (text: string) => hanging('', 0, text, { columns, paint: (line) => paint('dim', line) })
  const head = [
    paint('bold', firstLine(`loader | ${backend.id}`, columns - 1)),
    ...dim(`${places.root} | ${permissionModeOf(agent)} | /help`),
  ]
  if (state === null) return head
  const yellow = (text: string) => hanging('', 0, text, { columns, paint: (line) => paint('yellow', line) })
  const isOpen = state.turn !== null || state.queue.length > 0
  return [
    ...head,
    ...dim(`Session ${id}: ${state.title ?? state.openingWords ?? 'untitled'}`),
    ...lastWords(state.messages.toArray(), look),
    ...(recovery?.findings ?? []).flatMap(({ message }) => yellow(message)),
    ...(isOpen ? yellow('A turn was cut off. Enter goes on with it; other words begin something else.') : []),
  ]
}

function lastWords(messages: readonly Message[], { paint, columns }: LineStyle): string[] {
  return messages
    .filter(({ origin, content }) => origin !== 'tool' && origin !== 'note' && textOf(content).trim() !== '')
    .slice(-3)
    .map(({ role, content }) => {
      const words = firstLine(textOf(content), columns - 4)
      return role === 'user' ? `${paint(['bold', 'cyan'], '>')} ${words}` : paint('dim', `  ${words}`)
    })
}
