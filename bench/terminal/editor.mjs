// The least that pi-tui's own editor takes: nothing but the editor on its main screen. It is resolved as the command does.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(new URL('../../apps/cli/src/', import.meta.url))
const { Editor, ProcessTerminal, TuiMainScreen } = await import(
  pathToFileURL(require.resolve(`@earendil-works/${'pi-tui'}`)).href
)
const same = (text) => text
const list = { selectedPrefix: same, selectedText: same, description: same, scrollInfo: same, noMatch: same }
const screen = new TuiMainScreen(new ProcessTerminal(), true)
const editor = new Editor(screen, { borderColor: same, selectList: list })
screen.addChild(editor)
screen.setFocus(editor)
screen.start()
