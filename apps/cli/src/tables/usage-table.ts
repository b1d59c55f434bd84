import type { Totals } from '@loader/session-core'
import {
  between,
  cachedShare,
  costText,
  inOneLine,
  shortCount,
  type UsageOutput,
  type UsedTurn,
} from '@loader/readings'
import { type Column, table, type TableOptions } from './table.ts'

interface Row {
  readonly name: string
  readonly took: string
  /** Null where it is not known. */
  readonly usage: Totals | null
  /** Whether more was used than is known. */
  readonly isPart?: boolean
}

export function usageTable({ turns, models, total, agents }: UsageOutput, options: TableOptions): string[] {
  const rows: Row[] = [
    ...turns.map((turn, index) => ({ name: nameOf(turn, index), took: tookOf(turn), usage: turn.usage })),
    { name: agents === undefined ? 'all' : 'itself', took: '', usage: total },
    ...ofAgents(agents),
  ]
  const byModel = models.map(({ model, usage }) => ({ name: inOneLine(model), took: '', usage }))
  return [
    ...table(rows, columnsFor('TURN'), options),
    ...(byModel.length < 2 ? [] : ['', ...table(byModel, columnsFor('MODEL'), options)]),
  ]
}

function ofAgents(agents: UsageOutput['agents']): Row[] {
  if (agents === undefined) return []
  const isPart = agents.notKnown > 0
  const rows = agents.sessions.map(({ title, usage }) => ({ name: `agent ${inOneLine(title)}`, took: '', usage }))
  return [...rows, { name: isPart ? 'all that is known' : 'all', took: '', usage: agents.all, isPart }]
}

function nameOf({ input, reason }: UsedTurn, index: number): string {
  const open = reason === null ? ' (under way)' : ''
  return `${index + 1}${open} ${inOneLine(input)}`.trim()
}

function tookOf({ startedAt, finishedAt }: UsedTurn): string {
  return finishedAt === null ? '' : between(startedAt, finishedAt)
}

function shareText(share: number | null | undefined): string {
  return share == null ? '' : `${Math.round(100 * share)}%`
}

function columnsFor(head: string): Column<Row>[] {
  const number = (title: string, amount: (usage: Totals) => number, spare?: number): Column<Row> => ({
    head: title,
    ...(spare !== undefined && { spare }),
    align: 'right',
    cell: ({ usage }) => (usage === null ? '?' : shortCount(amount(usage))),
  })
  return [
    { head, flexible: true, cell: ({ name }) => name },
    number('ASKED', ({ requests }) => requests, 1),
    number('CALLS', ({ toolCalls }) => toolCalls, 4),
    number('IN', ({ inputTokens }) => inputTokens),
    { head: 'CACHED', spare: 3, align: 'right', cell: ({ usage }) => shareText(usage && cachedShare(usage)) },
    number('OUT', ({ outputTokens }) => outputTokens),
    number('THOUGHT', ({ reasoningTokens }) => reasoningTokens, 5),
    { head: 'COST', align: 'right', cell: ({ usage, isPart }) => (usage === null ? '?' : costText(usage, isPart)) },
    { head: 'TOOK', spare: 2, align: 'right', cell: ({ took }) => took },
  ]
}
