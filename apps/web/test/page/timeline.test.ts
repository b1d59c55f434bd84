import type { Course, Span } from '@loader/readings'
import { expect, test } from 'vitest'
import { scaleOf } from '../../src/page/model/course-scale.ts'
import { barAt, drawRow, type Frame, placeOf, ticksIn } from '../../src/page/views/timeline/drawing.ts'
import { laneRows } from '../../src/page/views/timeline/lanes.ts'
import { moved, type Viewport, whole, zoomed } from '../../src/page/views/timeline/viewport.ts'

const width = 1000

function courseWith(calls: number): Course {
  const spans = Array.from({ length: calls }, (_, index): Span => {
    const from = index * 100
    return {
      kind: 'call',
      id: `${index}`,
      title: 'read a.txt',
      from,
      to: from + 60,
      seq: index + 1,
      endSeq: index + 2,
      outcome: 'ok',
    }
  })
  return { from: 0, to: calls * 100, spans, marks: [], absences: [], decisions: [] }
}

function frameOf(course: Course, viewport: Viewport): Frame {
  return { scale: scaleOf(course), viewport, width }
}

test('what is drawn is bounded by the pixels, and not by the events', () => {
  const course = courseWith(20_000)
  const row = laneRows(course).find(({ name }) => name === 'Calls')
  const drawn = row === undefined ? [] : drawRow(row, frameOf(course, whole), 20).paths
  expect(drawn.map(({ fill }) => fill)).toEqual(['good'])
  expect(drawn[0]?.d.match(/M/g)?.length).toBeLessThanOrEqual(2 * width)
})

test('a bar is found where it is drawn, at any zoom', () => {
  const course = courseWith(500)
  const bars = laneRows(course).find(({ name }) => name === 'Calls')?.bars ?? []
  const found: (readonly [string | undefined, string])[] = []
  for (const factor of [1, 0.3, 0.02]) {
    const frame = frameOf(course, zoomed(whole, factor, 0.37))
    for (const bar of bars) {
      const middle = placeOf((bar.from + bar.to) / 2, frame)
      const isSeen = middle > 0 && middle < width && placeOf(bar.to, frame) - placeOf(bar.from, frame) > 2
      if (isSeen) found.push([barAt(bars, middle, frame)?.key, bar.key])
    }
  }
  expect(found.length).toBeGreaterThan(100)
  expect(found.filter(([one, other]) => one !== other)).toEqual([])
})

test('zooming keeps what is under the pointer, and never leaves the session', () => {
  let viewport = whole
  for (const [factor, around] of [
    [0.5, 0.2],
    [0.5, 0.9],
    [3, 0.1],
    [0.01, 0.5],
    [1e-9, 0.5],
    [1e9, 0.3],
  ] as const) {
    const before = viewport.start + (viewport.end - viewport.start) * around
    viewport = zoomed(viewport, factor, around)
    const after = viewport.start + (viewport.end - viewport.start) * around
    if (viewport.start > 0 && viewport.end < 1) expect(after).toBeCloseTo(before, 9)
    expect(viewport.start).toBeGreaterThanOrEqual(0)
    expect(viewport.end).toBeLessThanOrEqual(1)
    expect(moved(viewport, 1e6).end).toBe(1)
  }
  expect(viewport).toEqual(whole)
})

test('a clock that was wrong by centuries costs no more than one that was right', () => {
  const { spans, ...course } = courseWith(10)
  const late = Date.parse('+200000-01-01T00:00:00.000Z')
  const strange = {
    ...course,
    spans: [...spans, ...spans.map((span) => ({ ...span, from: late, to: late + 1e14 }))],
    to: late + 2e14,
  }
  const { ticks } = ticksIn(frameOf(strange, whole))
  expect(ticks.length).toBeGreaterThan(1)
  expect(ticks.length).toBeLessThan(width / 50)
})
