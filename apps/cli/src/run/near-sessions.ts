import type { SessionRow } from '@loader/session-core'
import { closest } from '../arguments/closest.ts'

const mostOffered = 5
/** Shorter words match too many others when misspelt. */
const shortestMisspelt = 4
const enough = 0.5

/** Sessions whose title or id is similar to these words, best match first. */
export function nearSessions(words: string, rows: readonly SessionRow[]): readonly SessionRow[] {
  return rows
    .map((row) => ({ row, likeness: closest(words, [row.id]) === undefined ? likeness(words, row.title) : 1 }))
    .filter((one) => one.likeness >= enough)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, mostOffered)
    .map(({ row }) => row)
}

/** How much of the wanted words a title contains, from 0 to 1: as a word, as its beginning, or misspelt. */
function likeness(wanted: string, title: string): number {
  const [wantedWords, titleWords] = [wordsOf(wanted), wordsOf(title)]
  const letters = wantedWords.join('').length
  if (letters === 0) return 0
  const found = wantedWords.map((word) => word.length * Math.max(0, ...titleWords.map((other) => near(word, other))))
  return found.reduce((sum, one) => sum + one, 0) / letters
}

function near(word: string, other: string): number {
  if (word === other) return 1
  if (other.startsWith(word)) return 0.9
  return word.length >= shortestMisspelt && closest(word, [other]) !== undefined ? 0.8 : 0
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
