import { counted, inOneLine } from '@loader/readings'
import type { FleetOutput } from '../schemas/fleet.ts'
import { type Column, table, type TableOptions } from './table.ts'

type WorkerRow = FleetOutput['workers'][number]
type SessionRow = FleetOutput['sessions'][number]

export function fleetTable({ workers, sessions, counts }: FleetOutput, options: TableOptions): string[] {
  const there = workers.filter((worker) => worker.there)
  const { queued, running, waiting, parked } = counts
  const head = `${counted(there.length, 'worker')}: ${queued} queued, ${running} running, ${waiting} waiting, ${parked} parked`
  return [
    head,
    ...(workers.length === 0 ? [] : ['', ...table(workers, workerColumns, options)]),
    ...(sessions.length === 0 ? [] : ['', ...table(sessions, sessionColumns(options.width), options)]),
  ]
}

const workerColumns: readonly Column<WorkerRow>[] = [
  { head: 'WORKER', flexible: true, cell: ({ id }) => inOneLine(id) },
  { head: 'HAS', align: 'right', cell: ({ sessions, concurrency }) => `${sessions}/${concurrency ?? '?'}` },
  {
    head: 'SEEN',
    align: 'right',
    cell: ({ there, goneForSeconds }) => (there ? 'now' : `${duration(goneForSeconds)} ago`),
    style: ({ there }) => (there ? undefined : 'yellow'),
  },
]

/** Where there is little room, the reason says enough. */
function sessionColumns(width: number): readonly Column<SessionRow>[] {
  const isNarrow = width < 80
  const id: Column<SessionRow> = { head: 'SESSION', cell: ({ id: text }) => inOneLine(text) }
  const standing: Column<SessionRow> = {
    head: 'IS',
    cell: (row) => row.standing,
    style: (row) => (row.standing === 'parked' ? 'red' : row.standing === 'waiting' ? 'yellow' : undefined),
  }
  const since: Column<SessionRow> = { head: 'FOR', align: 'right', cell: (row) => duration(row.waitsForSeconds) }
  const what: Column<SessionRow> = {
    head: isNarrow ? 'WHAT' : 'WORKER, OR WHY',
    flexible: true,
    cell: ({ reason, worker, title }) => inOneLine(worker ?? reason ?? title ?? ''),
  }
  return [id, standing, since, what]
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`
}
