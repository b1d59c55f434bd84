import { widthOf } from '../screen/width.ts'
import type { EditorState } from './editor.ts'
import { pieces } from './pieces.ts'
import type { Bottom } from './screen.ts'

const mostRows = 8

/** The draft as rows that fit, with the cursor position; of a long draft, the rows around the cursor. */
export function draftRows(
  { text, cursor }: Pick<EditorState, 'text' | 'cursor'>,
  columns: number,
  prompt: string,
): Bottom {
  const room = Math.max(4, columns - prompt.length - 1)
  const rows: string[] = []
  let place = { row: 0, column: prompt.length }
  let offset = 0
  // Tabs are replaced, because their width is not known.
  for (const line of text.replaceAll('\t', ' ').split('\n')) {
    for (const piece of pieces(line, room)) {
      if (cursor >= offset && cursor <= offset + piece.length) {
        place = { row: rows.length, column: prompt.length + widthOf(piece.slice(0, cursor - offset)) }
      }
      rows.push((rows.length === 0 ? prompt : ' '.repeat(prompt.length)) + piece)
      offset += piece.length
    }
    offset += 1
  }
  const first = Math.max(0, Math.min(place.row - mostRows + 1, rows.length - mostRows))
  return { rows: rows.slice(first, first + mostRows), cursor: { row: place.row - first, column: place.column } }
}
