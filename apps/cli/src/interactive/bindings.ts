import { LoaderError } from '@loader/session-core'
import type { Settings } from '../settings/settings.ts'
import {
  Key,
  type KeybindingDefinition,
  type KeybindingDefinitions,
  type KeybindingsConfig,
  type KeyId,
  KeybindingsManager,
  TUI_KEYBINDINGS,
} from '@earendil-works/pi-tui'

/** What a key does besides editing. */
export const ownKeys = {
  'loader.stop': { defaultKeys: 'escape', description: 'Stop the turn; twice between turns: choose one to go back to' },
  'loader.interrupt': { defaultKeys: 'ctrl+c', description: 'Stop the turn; else put the draft away; twice: leave' },
  'loader.leave': { defaultKeys: 'ctrl+d', description: 'Leave, if nothing is typed' },
  'loader.suspend': { defaultKeys: 'ctrl+z', description: 'Go to the background' },
  'loader.history': { defaultKeys: 'ctrl+r', description: 'Search what was said before, in other sessions too' },
  'loader.editor': { defaultKeys: 'ctrl+g', description: 'Write the draft in $EDITOR' },
  'loader.mode': { defaultKeys: 'shift+tab', description: 'Take another mode for the next task' },
  'loader.thinking': { defaultKeys: 'ctrl+t', description: 'Take another level of thinking, from the next task on' },
  'loader.redraw': { defaultKeys: 'ctrl+l', description: 'Draw on an empty screen' },
} as const satisfies Record<string, { defaultKeys: KeyId | KeyId[]; description: string }>

export type OwnKey = keyof typeof ownKeys

declare module '@earendil-works/pi-tui' {
  interface Keybindings extends Record<OwnKey, true> {}
}

/** Keys of the editor that people know from elsewhere. */
const editorKeys = {
  'tui.editor.cursorUp': { ...TUI_KEYBINDINGS['tui.editor.cursorUp'], defaultKeys: ['up', 'ctrl+p'] },
  'tui.editor.cursorDown': { ...TUI_KEYBINDINGS['tui.editor.cursorDown'], defaultKeys: ['down', 'ctrl+n'] },
  'tui.input.newLine': {
    ...TUI_KEYBINDINGS['tui.input.newLine'],
    defaultKeys: ['shift+enter', 'alt+enter', 'ctrl+j'],
  },
} satisfies Record<string, { defaultKeys: KeyId[] }>

/** The keys, with those of the user in place of the usual ones. */
export function bindings(own: Settings['keys'] = {}): KeybindingsManager {
  const known: Record<string, unknown> = { ...TUI_KEYBINDINGS, ...ownKeys }
  const unknown = Object.keys(own).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) {
    const names = Object.keys(known).filter((name) => !name.startsWith('tui.altScreen'))
    throw new LoaderError(
      'invalid_config',
      `Nothing is called ${unknown} in "keys". What can have a key: ${names.join(', ')}`,
    )
  }
  requireKeys(own)
  const taken = new Set(Object.values(own).flat().map(sameKey))
  const definitions: KeybindingDefinitions = { ...TUI_KEYBINDINGS, ...editorKeys, ...ownKeys }
  for (const name of Object.keys(ownKeys)) {
    const definition = definitions[name]
    if (definition !== undefined) definitions[name] = { ...definition, defaultKeys: freeKeys(definition, taken) }
  }
  return new KeybindingsManager(definitions, own as KeybindingsConfig)
}

/** A key that the user has given to something else does only that. */
function freeKeys({ defaultKeys }: KeybindingDefinition, taken: ReadonlySet<string>): KeyId[] {
  return [defaultKeys].flat().filter((key) => !taken.has(sameKey(key)))
}

const modifiers = ['ctrl', 'shift', 'alt', 'super']
const namedKeys = Object.values(Key).filter((key) => typeof key === 'string' && key.length > 1)

/** The library leaves out what it does not know, so that `control+c` would be the letter c. */
function requireKeys(own: NonNullable<Settings['keys']>): void {
  for (const [name, keys] of Object.entries(own)) {
    const unknown = [keys].flat().find((key) => !isKey(key))
    if (unknown === undefined) continue
    const before = modifiers.map((modifier) => `${modifier}+`).join(', ')
    throw new LoaderError(
      'invalid_config',
      `No key is called ${JSON.stringify(unknown)}, which "keys" has for ${name}. A key is a letter, a digit, a sign, or one ` +
        `of ${namedKeys.join(', ')}; before it may stand ${before}.`,
    )
  }
}

function isKey(key: string): boolean {
  const parts = key.toLowerCase().split('+')
  const base = parts.pop() ?? ''
  const isNamed = namedKeys.some((named) => String(named).toLowerCase() === base)
  return (isNamed || /^[!-~]$/.test(base)) && parts.every((part) => modifiers.includes(part))
}

/** In one way of writing it: `Ctrl+Shift+P` is `shift+ctrl+p`. */
function sameKey(key: string): string {
  const parts = key.toLowerCase().split('+')
  return [...parts.slice(0, -1).toSorted(), parts.at(-1)].join('+')
}
