import type { SessionState } from '@loader/session-core'
import { duration, inOneLine, shortCount, usageNow } from '@loader/readings'
import { cut, widthOf } from '../screen/width.ts'

export interface StatusFacts {
  readonly state: SessionState | null
  readonly model: string
  readonly permissionMode: string
  /** How much the model thinks; `auto` where its provider decides. */
  readonly thinking: string
  /** What was set for the next task. */
  readonly nextMode?: string
  /** The share of the model's window that the conversation uses, from 0 to 1, if known. */
  readonly window?: number
  /** Milliseconds since the turn began; absent between turns. */
  readonly elapsed?: number
  /** The current activity, such as loading a model. */
  readonly doing?: string
  readonly columns: number
  /** The branch of git that is checked out. */
  readonly branch?: string
  /** Moves while a turn runs. */
  readonly sign?: string
}

interface Part {
  readonly text: string
  /** If there is too little room, the part with the highest number is dropped first. */
  readonly spare: number
}

const between = ' | '

/** The status in one line: mode, activity, time, share of the window, tokens, model, permissions. */
export function statusLine(facts: StatusFacts): string {
  const { state, model, permissionMode, nextMode, elapsed, doing = '', window, columns, branch, sign, thinking } = facts
  const parts: Part[] = [
    { text: [sign, state?.mode ?? 'ready'].filter((part) => part !== undefined).join(' '), spare: 2 },
    ...(nextMode === undefined ? [] : [{ text: `next: ${nextMode}`, spare: 2 }]),
    ...(elapsed === undefined
      ? []
      : [{ text: elapsed < 1000 ? '0 s' : duration(Math.floor(elapsed / 1000) * 1000), spare: 0 }]),
    ...(doing === '' ? [] : [{ text: inOneLine(doing), spare: 1 }]),
    ...(state !== null && state.queue.length > 0 ? [{ text: `${state.queue.length} queued`, spare: 3 }] : []),
    ...(window === undefined ? [] : [{ text: `window ${Math.min(999, Math.round(100 * window))}%`, spare: 4 }]),
    ...tokensPart(state),
    { text: inOneLine(model), spare: 6 },
    { text: `thinking ${thinking}`, spare: thinking === 'auto' ? 8 : 6.5 },
    { text: permissionMode, spare: 7 },
    ...(branch === undefined ? [] : [{ text: inOneLine(branch), spare: 9 }]),
    ...(elapsed === undefined ? [] : [{ text: 'Esc stops', spare: 10 }]),
  ]
  return fitted(parts, columns - 1)
}

function tokensPart(state: SessionState | null): Part[] {
  if (state === null) return []
  const { tokens, cost } = usageNow(state).session
  // What is local costs nothing, and what is not known needs no place here.
  const money = cost.includes('$') ? `, ${cost}` : ''
  return tokens === 0 ? [] : [{ text: `${shortCount(tokens)} tokens${money}`, spare: 5 }]
}

/** Drops optional parts until the rest fits, and cuts it if even that is too wide. */
function fitted(parts: readonly Part[], width: number): string {
  const line = parts.map(({ text }) => text).join(between)
  if (widthOf(line) <= width) return line
  const most = Math.max(...parts.map(({ spare }) => spare))
  if (most <= 2) return cut(line, width)
  return fitted(
    parts.filter(({ spare }) => spare < most),
    width,
  )
}
