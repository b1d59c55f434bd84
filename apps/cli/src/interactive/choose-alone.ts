import { setKeybindings } from '@earendil-works/pi-tui'
import { inOneLine } from '@loader/readings'
import type { SessionRow, SessionStore } from '@loader/session-core'
import type { Console } from '../console/console.ts'
import { glyphsFor } from '../screen/glyphs.ts'
import type { Paint } from '../screen/paint.ts'
import type { ModelsOffered } from '../run/ask-model.ts'
import { bindings } from './bindings.ts'
import { choosingOf } from './choose-session.ts'
import type { Choosing } from './choosing.ts'
import { LiveScreen } from './live-screen.ts'
import { Picker } from './picker.ts'

/** Lets the user choose a session before there is a conversation; undefined if none was chosen. */
export function chooseSessionAlone(
  question: string,
  rows: readonly SessionRow[],
  store: SessionStore,
  { console, paint }: Alone,
): Promise<SessionRow | undefined> {
  return chooseAlone(choosingOf(inOneLine(question), rows, store), { console, paint })
}

/** The same for a model. The name of one that is not in the list can be typed. */
export function chooseModelAlone(models: ModelsOffered, alone: Alone): Promise<string | undefined> {
  const choices = models.offered.map(({ name, title }) => ({
    label: inOneLine(name),
    detail: inOneLine(title),
    value: name,
  }))
  const find = async (words: string) =>
    models.isName(words) ? [{ label: inOneLine(words), detail: 'as typed', value: words }] : []
  return chooseAlone({ title: 'Which model? It is kept for the next time', choices, find }, alone)
}

/** Where the user is asked. */
export interface Alone {
  readonly console: Console
  readonly paint: Paint
}

function chooseAlone<Value>(choosing: Choosing<Value>, { console, paint }: Alone): Promise<Value | undefined> {
  setKeybindings(bindings())
  const screen = new LiveScreen(console.environment)
  return new Promise((resolve) => {
    const picker = new Picker<Value>({
      choosing,
      paint,
      glyphs: glyphsFor(console),
      onChange: () => screen.requestRender(),
      onEnd: (choice) => {
        screen.stop()
        resolve(choice?.value)
      },
    })
    screen.addChild(picker)
    screen.setFocus(picker)
    screen.start()
  })
}
