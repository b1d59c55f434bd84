import type { Course, Span } from '@loader/readings'
import { type Interval, type TimeScale, timeScale } from './time-scale.ts'

/** What shows that a process was at work. A turn, a wait and a question can go on without. */
const atWork: ReadonlySet<Span['kind']> = new Set(['request', 'call', 'check', 'hook'])

/** A part of the busy time that is left free at the end, so that how it ended can be seen. */
const tail = 0.03

/** The times of a session, with those in which nothing ran made short. */
export function scaleOf({ spans, marks, from, to }: Course): TimeScale {
  const busy = spans.flatMap(({ kind, from: begin, to: end }): Interval[] =>
    atWork.has(kind) ? [[begin, end ?? to]] : [],
  )
  const moments = marks.map(({ at }): Interval => [at, at])
  const busyTime = busy.reduce((sum, [begin, end]) => sum + end - begin, 0)
  const end = to + Math.min(busyTime, to - from) * tail
  return timeScale([...busy, ...moments, [to, end]], [from, end])
}
