import type { ClaimReading, CompactionReading, Mark, ShowEntry } from '@loader/readings'

/** A line of the conversation: what was said, or what happened to the session between. */
export type Row =
  | { readonly kind: 'entry'; readonly seq: number; readonly entry: ShowEntry }
  /** One process ended, and another one took the session up. */
  | { readonly kind: 'claim'; readonly seq: number; readonly ended: ClaimReading; readonly next: ClaimReading }
  | { readonly kind: 'compaction'; readonly seq: number; readonly compaction: CompactionReading }
  | { readonly kind: 'mark'; readonly seq: number; readonly mark: Mark }

const told: ReadonlySet<Mark['kind']> = new Set(['fork', 'import', 'rewind', 'accepted', 'stop'])

/** Everything that the conversation shows, in the order in which it happened. */
export function conversationRows(
  entries: readonly ShowEntry[],
  claims: readonly ClaimReading[],
  compactions: readonly CompactionReading[],
  marks: readonly Mark[],
): Row[] {
  const rows: Row[] = [
    ...entries.filter((entry) => !isSummary(entry)).map((entry): Row => ({ kind: 'entry', seq: entry.seq, entry })),
    ...claims
      .slice(1)
      .map((next, index): Row => ({ kind: 'claim', seq: next.seq, ended: claims[index] as ClaimReading, next })),
    ...compactions.map((compaction): Row => ({ kind: 'compaction', seq: compaction.seq, compaction })),
    ...marks.filter(({ kind }) => told.has(kind)).map((mark): Row => ({ kind: 'mark', seq: mark.seq, mark })),
  ]
  const sorted = rows.toSorted((one, other) => one.seq - other.seq)
  return sorted.filter((row, index) => !isIdleClaim(row, sorted[index + 1]))
}

/**
 * A process took the session up at rest, or to go on after an answer, and did nothing that is shown; or it is the process that
 * had it before. Where a question was left alone is always shown.
 */
function isIdleClaim(row: Row, after: Row | undefined): boolean {
  if (row.kind !== 'claim' || row.ended.ended === 'cut_off') return false
  const [before, now] = [row.ended.owner, row.next.owner]
  const isSame = now.pid !== undefined && now.pid === before.pid && now.host === before.host
  if (isSame || row.ended.ended === 'waiting') return isSame
  return after === undefined || (after.kind === 'claim' && after.ended.ended !== 'cut_off')
}

/** The compaction itself shows the summary. */
function isSummary(entry: ShowEntry): boolean {
  return entry.kind === 'message' && entry.origin === 'summary'
}

/** The row that holds an event: the last one that does not come after it. */
export function rowAt(rows: readonly Row[], seq: number): number {
  return Math.max(
    0,
    rows.findLastIndex((row) => row.seq <= seq),
  )
}

/** The text in which a search looks. */
export function textOfRow(row: Row): string {
  switch (row.kind) {
    case 'entry': {
      const { entry } = row
      if (entry.kind === 'turn_end') return entry.turn.summary ?? ''
      if (entry.kind === 'background' || entry.kind === 'child' || entry.kind === 'hook') return entry.text
      if (entry.kind !== 'message') return ''
      const calls = entry.calls.flatMap(({ name, input, preview = '', result }) => [
        name,
        JSON.stringify(input),
        preview,
        result ?? '',
      ])
      return [entry.text, entry.reasoning, ...calls].join('\n')
    }
    case 'claim':
      return row.ended.cut.map(({ title, said }) => `${title}\n${said}`).join('\n')
    case 'compaction':
      return row.compaction.summary
    case 'mark':
      return row.mark.title
    default:
      return row satisfies never
  }
}
