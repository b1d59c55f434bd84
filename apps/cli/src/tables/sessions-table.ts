import type { SessionRow } from '@loader/session-core'
import { inOneLine, type ListedSession, relativeTime, shortBytes, shortCount, shortTime } from '@loader/readings'
import type { Style } from '../screen/paint.ts'
import { cut, padEnd, wrap } from '../screen/width.ts'
import { type Column, table, type TableOptions } from './table.ts'

export interface SessionsTableOptions extends TableOptions {
  readonly now: number
}

/** The width from which on a session fits on one line. */
const oneLineFrom = 110

/** Sessions as a table: one line each if there is room, else the name above the figures. */
export function sessionsTable(sessions: readonly ListedSession[], options: SessionsTableOptions): string[] {
  const figures = figureColumns(options.now)
  if (options.width >= oneLineFrom) {
    const title: Column<ListedSession> = { head: 'TITLE', flexible: true, cell: titleOf }
    const id: Column<ListedSession> = { head: 'ID', cell: ({ id: shown }) => shown, style: () => 'dim' }
    const lines = table(sessions, [title, ...figures, id], options)
    return withMatches(lines.slice(0, 1), sessions, (index) => [lines[index + 1] ?? ''], options)
  }
  const indent = '  '
  const lines = table(sessions, figures, { ...options, width: options.width - indent.length })
  const { paint, width } = options
  const named = (index: number) => {
    const session = sessions[index] as ListedSession
    const room = Math.max(8, width - session.id.length - 2)
    return [
      `${paint('bold', padEnd(cut(titleOf(session), room), room))}  ${paint('dim', session.id)}`,
      `${indent}${lines[index + 1] ?? ''}`,
    ]
  }
  return withMatches([`${indent}${lines[0] ?? ''}`], sessions, named, options)
}

function withMatches(
  head: readonly string[],
  sessions: readonly ListedSession[],
  linesOf: (index: number) => string[],
  { paint, width }: SessionsTableOptions,
): string[] {
  return [
    ...head,
    ...sessions.flatMap(({ matches = [] }, index) => [
      ...linesOf(index),
      ...matches.flatMap(({ seq, role, excerpt }) =>
        wrap(`    ${role} at ${seq}: ${inOneLine(excerpt)}`, width).map((line) => paint('dim', line)),
      ),
    ]),
  ]
}

function figureColumns(now: number): Column<ListedSession>[] {
  return [
    { head: 'WHEN', cell: (session) => whenOf(session, now) },
    { head: 'TURNS', align: 'right', cell: ({ turns }) => String(turns) },
    { head: 'TOKENS', align: 'right', cell: (session) => shortCount(session.inputTokens + session.outputTokens) },
    { head: 'VERDICT', cell: verdictCell, style: verdictStyle },
    { head: 'SIZE', align: 'right', cell: ({ bytes }) => (bytes === undefined ? '-' : shortBytes(bytes)) },
  ]
}

function whenOf({ status, updatedAt, seq }: SessionRow, now: number): string {
  if (status === 'damaged' && seq === 0) return 'not known'
  const relative = relativeTime(updatedAt, now)
  return relative === 'just now' ? relative : `${relative}, ${shortTime(updatedAt, now)}`
}

function titleOf({ title, parent }: SessionRow): string {
  return parent === undefined ? inOneLine(title) : `agent of ${parent}: ${inOneLine(title)}`
}

/** The verdict, unless a more important fact replaces it. */
function verdictCell(session: ListedSession): string {
  const { verdict } = session
  return noteOf(session) ?? verdict ?? '-'
}

function verdictStyle(session: ListedSession): Style | undefined {
  const { verdict } = session
  const note = noteOf(session)
  if (note !== undefined) return note === 'damaged' || note === 'has gaps' ? 'red' : 'yellow'
  if (verdict === 'verified' || verdict === 'waived') return 'green'
  return verdict === null ? 'dim' : 'yellow'
}

/** What matters more than a verdict: what goes on in it, and what is wrong with it. */
function noteOf({ status, activity, gaps }: ListedSession): string | undefined {
  if (status === 'damaged') return 'damaged'
  if (gaps !== undefined) return 'has gaps'
  if (activity === 'cut_off') return 'cut off'
  if (activity === 'running' || activity === 'open') return activity
  return status === 'open' ? 'in a turn' : undefined
}
