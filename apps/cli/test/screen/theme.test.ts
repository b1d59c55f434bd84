import { styleText } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Paint } from '../../src/screen/paint.ts'
import { backgroundOf, luminance, palettes, Theme } from '../../src/screen/theme.ts'
import { VirtualScreen } from '../interactive/stage/virtual-screen.ts'

const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false })
const many = { environment: { TERM: 'xterm-256color' } }
const few = { environment: { TERM: 'xterm' } }

/** Backgrounds that people have: black, VS Code, One Dark, Solarized; white, GitHub, Solarized. */
const backgrounds = {
  dark: ['#000000', '#1e1e1e', '#282c34', '#002b36'],
  light: ['#ffffff', '#f6f8fa', '#fdf6e3'],
} as const

describe.each(['dark', 'light'] as const)('the %s theme', (name) => {
  test.each(backgrounds[name])('can be read on %s', (background) => {
    const behind = luminance(...channels(background))
    for (const [style, color] of Object.entries(palettes[name])) {
      const [more = 0, less = 0] = [luminance(...rgbOf(color)), behind].toSorted((a, b) => b - a)
      expect({ style, enough: (more + 0.05) / (less + 0.05) >= 4.5 }).toEqual({ style, enough: true })
    }
  })

  test.each(backgrounds[name])('is that for %s', (background) => {
    const [r, g, b] = channels(background)
    expect(backgroundOf({ r, g, b })).toBe(name)
  })

  test('has the same styles as the other one', () => {
    expect(Object.keys(palettes[name])).toEqual(Object.keys(palettes.dark))
  })
})

describe('a theme', () => {
  test('follows what the terminal tells, unless one was set', () => {
    const auto = new Theme('auto', coloured, many)
    expect(auto.paint('red', 'x')).toBe(coloured('red', 'x'))
    auto.tell('light')
    expect(auto.paint('red', 'x')).toBe('\x1b[38;5;124mx\x1b[39m')
    auto.tell('dark')
    expect(auto.paint('red', 'x')).toBe('\x1b[38;5;210mx\x1b[39m')
    const set = new Theme('light', coloured, many)
    set.tell('dark')
    expect(set.paint('red', 'x')).toBe('\x1b[38;5;124mx\x1b[39m')
  })

  test('is that of the terminal where there are few colours, and none where none are wanted', () => {
    const poor = new Theme('light', coloured, few)
    expect(poor.paint('red', 'x')).toBe(coloured('red', 'x'))
    expect(poor.follows).toBe(false)
    expect(new Theme('none', coloured, many).paint(['bold', 'red'], 'x')).toBe('x')
    const plain = new Theme('dark', (_style, text) => text, many)
    expect([plain.paint('red', 'x'), plain.follows]).toEqual(['x', false])
  })

  test('goes on with its colour behind another one', async () => {
    const { paint } = new Theme('dark', coloured, many)
    const text = paint(['bold', 'dim'], `a ${paint('red', 'b')} c`)
    expect(text).toBe('\x1b[1m\x1b[38;5;246ma \x1b[38;5;210mb\x1b[38;5;246m c\x1b[39m\x1b[22m')
    const screen = new VirtualScreen(20, 3)
    await screen.write(text)
    expect(screen.lines).toEqual(['a b c'])
  })
})

function channels(color: string): [number, number, number] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number, number]
}

/** The colour cube and the greys that every terminal with 256 colours has. */
function rgbOf(color: number): [number, number, number] {
  if (color >= 232) return [0, 0, 0].map(() => 8 + 10 * (color - 232)) as [number, number, number]
  const steps = [0, 95, 135, 175, 215, 255]
  const place = color - 16
  return [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((at) => steps[at] ?? 0) as [
    number,
    number,
    number,
  ]
}
