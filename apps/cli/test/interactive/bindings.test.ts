import { describe, expect, test } from 'vitest'
import { bindings } from '../../src/interactive/bindings.ts'

describe('a key of the user', () => {
  test.each(['control+c', 'ctrl+nonsense', 'ctl+x', 'ctrl+', '', 'strg+c'])(
    'that does not exist is refused: %j',
    (key) => {
      const refused = () => bindings({ 'loader.interrupt': ['ctrl+x', key] })
      expect(refused).toThrow(`No key is called ${JSON.stringify(key)}, which "keys" has for loader.interrupt.`)
    },
  )

  test.each(['ctrl+x', 'f5', 'shift+alt+pageUp', 'Ctrl+Y', 'ctrl+-', 'alt+/', 'super+k', 'esc'])('can be %s', (key) => {
    expect(bindings({ 'loader.interrupt': key }).getKeys('loader.interrupt')).toEqual([key])
  })

  test('does only what the user gave it to, however it is written', () => {
    expect(bindings({ 'tui.editor.undo': 'Ctrl+T' }).getKeys('loader.thinking')).toEqual([])
    expect(bindings({ 'tui.editor.undo': 'ctrl+r' }).getKeys('loader.history')).toEqual([])
  })
})
