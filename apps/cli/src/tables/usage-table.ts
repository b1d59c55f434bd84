import type { Totals } from '@loader/session-core'
import { between, inOneLine, shortCount, type UsageOutput, type UsedTurn } from '@loader/readings'
import { type Column, table, type TableOptions } from './table.ts'

interface Row {
  readonly name: string
  readonly took: string
  readonly usage: Totals
}

export function usageTable({ turns, models, total }: UsageOutput, options: TableOptions): string[] {
  const rows: Row[] = [
    ...turns.map((turn, index) => ({ name: nameOf(turn, index), took: tookOf(turn), usage: turn.usage })),
    { name: 'all', took: '', usage: total },
  ]
  const byModel = models.map(({ model, usage }) => ({ name: inOneLine(model), took: '', usage }))
  return [
    ...table(rows, columnsFor('TURN'), options),
    ...(byModel.length < 2 ? [] : ['', ...table(byModel, columnsFor('MODEL'), options)]),
  ]
}

function nameOf({ input, reason }: UsedTurn, index: number): string {
  const open = reason === null ? ' (under way)' : ''
  return `${index + 1}${open} ${inOneLine(input)}`.trim()
}

function tookOf({ startedAt, finishedAt }: UsedTurn): string {
  return finishedAt === null ? '' : between(startedAt, finishedAt)
}

function columnsFor(head: string): Column<Row>[] {
  const number = (title: string, amount: (usage: Totals) => number): Column<Row> => ({
    head: title,
    align: 'right',
    cell: ({ usage }) => shortCount(amount(usage)),
  })
  return [
    { head, flexible: true, cell: ({ name }) => name },
    number('ASKED', ({ requests }) => requests),
    number('CALLS', ({ toolCalls }) => toolCalls),
    number('IN', ({ inputTokens }) => inputTokens),
    number('CACHED', ({ cacheReadTokens }) => cacheReadTokens),
    number('OUT', ({ outputTokens }) => outputTokens),
    { head: 'TOOK', align: 'right', cell: ({ took }) => took },
  ]
}
