import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { InputBox } from '../../src/interactive/input-box.ts'
import { LiveScreen } from '../../src/interactive/live-screen.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a key is drawn at once: it waits for no timer, whatever was drawn before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  let written = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text)
    return true
  })
  const screen = new LiveScreen({})
  const input = new InputBox(screen, {
    paint: (_style, text) => text,
    rule: '-',
    onKey: () => false,
    label: () => '',
  })
  screen.addChild(input)
  screen.setFocus(input)
  screen.start()
  try {
    await nextTurn()
    for (const key of ['q', 'w', 'x']) {
      written = ''
      // Something else has asked for a frame, as an answer that streams does all the time.
      screen.requestRender()
      process.stdin.emit('data', key)
      await nextTurn()
      expect(written).toContain(key)
    }
  } finally {
    screen.stop()
    process.stdin.pause()
  }
})
