import type { SessionState } from '@loader/session-core'
import { inOneLine } from '@loader/readings'
import type { Glyphs } from '../screen/glyphs.ts'
import type { Paint } from '../screen/paint.ts'
import { cut } from '../screen/width.ts'

const most = 5

/** What is left to do, below what is done; none when all of it is done. */
export function todoRows(
  { todos }: Pick<SessionState, 'todos'>,
  { paint, glyphs, columns }: { readonly paint: Paint; readonly glyphs: Glyphs; readonly columns: number },
): string[] {
  const open = todos.filter(({ status }) => status !== 'completed')
  if (open.length === 0) return []
  const done = todos.length - open.length
  const shown = open.toSorted((a, b) => rank(a.status) - rank(b.status)).slice(0, most)
  const more = open.length - shown.length
  const counts = [...(done > 0 ? [`${done} of ${todos.length} done`] : []), ...(more > 0 ? [`${more} more`] : [])]
  return [
    ...shown.map(({ text, activeText = text, status }) => {
      const isNow = status === 'in_progress'
      const row = cut(`  ${isNow ? glyphs.call : glyphs.decision} ${inOneLine(isNow ? activeText : text)}`, columns - 1)
      return isNow ? row : paint('dim', row)
    }),
    ...(counts.length > 0 ? [paint('dim', cut(`    ${counts.join(', ')}`, columns - 1))] : []),
  ]
}

function rank(status: SessionState['todos'][number]['status']): number {
  return status === 'in_progress' ? 0 : 1
}
