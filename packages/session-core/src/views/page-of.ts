import type { ListQuery, SessionPage } from '../ports/store.ts'
import type { SessionRow } from '../state/session-row.ts'

/**
 * The page of a list for a query, the same for every store. Rows must come newest first; rows after the page are not
 * read. A store whose rows are still to be checked does so in `take`, which gets each row of the page as it is found: a
 * long page is then never held twice.
 */
export function pageOf(
  rows: Iterable<SessionRow>,
  query: ListQuery = {},
  take: (row: SessionRow) => SessionRow = (row) => row,
): SessionPage {
  const { limit = 50, cursor } = query
  const matches = matching(query)
  const page: SessionRow[] = []
  for (const row of rows) {
    if (cursor !== undefined && placeOf(row) >= cursor) continue
    if (!matches(row)) continue
    const last = page.at(-1)
    if (page.length >= limit) return { rows: page, ...(last && { cursor: placeOf(last) }) }
    page.push(take(row))
  }
  return { rows: page }
}

/** The rows in list order. Rows that are sorted already are only compared once. */
export function newestFirst(rows: readonly SessionRow[]): readonly SessionRow[] {
  const sorted = rows.every((row, index) => index === 0 || compareRows(rows[index - 1] as SessionRow, row) <= 0)
  return sorted ? rows : rows.toSorted(compareRows)
}

/** The sort key of a row; its text order is the reverse of the list. */
function placeOf({ updatedAt, id }: SessionRow): string {
  return `${updatedAt} ${id}`
}

/** Negative when the first row comes first in a list. */
export function compareRows(one: SessionRow, other: SessionRow): number {
  if (one.updatedAt !== other.updatedAt) return one.updatedAt < other.updatedAt ? 1 : -1
  if (one.id === other.id) return 0
  return one.id < other.id ? 1 : -1
}

function matching({ text, metadata = {}, mode, verdict, status }: ListQuery): (row: SessionRow) => boolean {
  const wanted = text?.toLowerCase()
  const values = Object.entries(metadata)
  return (row) =>
    (mode === undefined || row.mode === mode) &&
    (verdict === undefined || row.verdict === verdict) &&
    (status === undefined || row.status === status) &&
    values.every(([key, value]) => isSame(row.metadata[key], value)) &&
    (wanted === undefined || searched(row).includes(wanted))
}

function searched({ title, lastExcerpt, metadata }: SessionRow): string {
  return `${title}\n${lastExcerpt}\n${JSON.stringify(metadata)}`.toLowerCase()
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
