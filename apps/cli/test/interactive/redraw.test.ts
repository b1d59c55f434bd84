import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type LiveRows, redraw } from '../../src/interactive/redraw.ts'
import { VirtualScreen } from './stage/virtual-screen.ts'

const height = 14
/** Rows that a terminal half as wide can still show. */
const mostRows = 6

describe('what is printed stays, once, and only the live rows change', () => {
  test.each([60, 80, 120])('in %i columns, whatever happens', async (columns) => {
    for (let seed = 1; seed <= times({ quick: 10, ci: 60, long: 2_000 }); seed += 1) {
      const { seen, wanted } = await story(seed, columns)
      expect({ seed, seen }).toEqual({ seed, seen: wanted })
    }
  })

  test('a change of one row writes that row and nothing else', () => {
    const before = live(['one', 'two', 'three', 'four'], 80)
    const text = redraw([], before, live(['one', 'TWO', 'three', 'four'], 80))
    expect(text).toContain('TWO')
    expect(text).not.toMatch(/one|three|four|\[J/)
  })

  test('nothing that could clear what has scrolled away is ever written', () => {
    const texts = [
      redraw(['a'], undefined, live(['b'], 80)),
      redraw([], live(['b'.repeat(70)], 80), live(['b'], 40)),
      redraw(['c'], live(['b'], 80), live([], 80)),
    ]
    expect(texts.join('')).not.toMatch(/\[[23]J|\[H/)
  })
})

/** Prints, changes rows and resizes at random, and looks after each step. */
async function story(seed: number, columns: number): Promise<{ seen: string[]; wanted: string[] }> {
  const next = randomFrom(seed)
  const screen = new VirtualScreen(columns, height)
  const printed = Array.from({ length: 3 + next(30) }, (_, index) => `earlier ${index}`)
  await screen.write(printed.map((line) => `${line}\r\n`).join(''))
  let width = columns
  let drawn: LiveRows | undefined
  for (let step = 0; step < 30; step += 1) {
    const lines = next(3) === 0 ? Array.from({ length: 1 + next(20) }, () => words(next, width - 1)) : []
    if (next(12) === 0) {
      // This terminal moves the cursor at random if there are blank rows below.
      const full = Array.from({ length: height }, () => words(next, width - 1))
      await screen.write(redraw(full, drawn, drawn ?? live(['>'], width), 'end'))
      drawn ??= live(['>'], width)
      printed.push(...full)
      width = Math.max(30, Math.floor(width / 2)) + next(80)
      screen.resize(width, height)
    }
    const now = live(rowsAfter(drawn?.rows ?? [], next, width - 1), width, next)
    await screen.write(redraw(lines, drawn, now, 'end'))
    printed.push(...lines)
    drawn = now
    expect({ seed, step, lines: screen.lines }).toEqual({ seed, step, lines: trimmed([...printed, ...now.rows]) })
    if (now.cursor !== null) expect(screen.row).toBe(now.rows[now.cursor.row]?.trimEnd())
    if (now.cursor !== null) expect(screen.cursor.column).toBe(now.cursor.column)
  }
  await screen.write(redraw([], drawn, { rows: [], cursor: { row: 0, column: 0 }, columns: width }, 'end'))
  return { seen: screen.lines, wanted: trimmed(printed) }
}

function rowsAfter(rows: readonly string[], next: (below: number) => number, width: number): string[] {
  const kept = rows
    .filter((row) => row.length <= width && next(8) > 0)
    .map((row) => (next(3) > 0 ? row : words(next, width)))
  const added = Array.from({ length: next(3) }, () => words(next, width))
  const all = next(2) === 0 ? [...added, ...kept] : [...kept, ...added]
  return all.length === 0 ? [words(next, width)] : all.slice(0, mostRows)
}

function live(rows: readonly string[], columns: number, next?: (below: number) => number): LiveRows {
  const row = next === undefined ? rows.length - 1 : next(rows.length)
  const column = next === undefined ? 0 : next(Math.max(1, (rows[row] ?? '').length))
  return { rows, cursor: { row: Math.max(0, row), column }, columns }
}

function words(next: (below: number) => number, width: number): string {
  const text =
    'a row of words that is as long as it has to be, and longer than any terminal is wide, so that it is cut; '
  return `#${next(100_000)} ${text.repeat(2)}`.slice(0, 1 + next(width)).trimEnd()
}

function trimmed(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
}

/** The same numbers for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) | 0
    return Math.abs(state ^ (state >>> 13)) % below
  }
}
