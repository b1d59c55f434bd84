import { type History, type Message, type SessionState, textOf } from '@loader/session-core'
import { openQuestion } from '../fleet/open-question.ts'
import type { Begun } from '../run/beginning.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { hanging } from '../screen/hanging.ts'
import { firstLine } from '../screen/first-line.ts'
import { pastLines } from './past-lines.ts'
import { belowHome } from '../places/short-path.ts'
import { widthOf } from '../screen/width.ts'
import { permissionModeOf } from '../permissions/permission-settings.ts'

/** The first lines: the model, the project, and of a resumed session what was said and where it stands. */
export function greeting({ agent, backend, places }: Begun, look: LineStyle, history: History): string[] {
  const { paint, columns } = look
  const { id, state, recovery } = agent.session
  const dim = (text: string) => hanging('', 0, text, { columns, paint: (line) => paint('dim', line) })
  const head = [
    paint('bold', firstLine(`loader | ${backend.id}`, columns - 1)),
    ...placeLines(belowHome(places.root), `${permissionModeOf(agent)} | /help`, columns).flatMap(dim),
  ]
  if (state === null) return head
  const yellow = (text: string) => hanging('', 0, text, { columns, paint: (line) => paint('yellow', line) })
  const past = pastLines(history, look)
  return [
    ...head,
    ...dim(`Session ${id}: ${state.title ?? state.openingWords ?? 'untitled'}`),
    // A session from elsewhere has messages and no turns.
    ...(past.length === 0 ? lastWords(state.messages.toArray(), look) : past),
    ...(recovery?.findings ?? []).flatMap(({ message }) => yellow(message)),
    ...openLines(state).flatMap(yellow),
  ]
}

/** What waits for the user. */
function openLines(state: SessionState): readonly string[] {
  const question = openQuestion(state)
  if (question !== undefined) {
    return [`A question waits for your answer: ${question.line}`, 'Enter asks it; other words begin something else.']
  }
  const isOpen = state.turn !== null || state.queue.length > 0
  return isOpen ? ['A turn was cut off. Enter goes on with it; other words begin something else.'] : []
}

/** In one line where there is room, else the path has one of its own. */
function placeLines(path: string, rest: string, columns: number): readonly string[] {
  const line = `${path} | ${rest}`
  return widthOf(line) < columns ? [line] : [path, rest]
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
