import type { SessionRow } from '@loader/session-core'
import { closest } from '../arguments/closest.ts'

const mostOffered = 5
/** Shorter words are too easily taken for each other. */
const shortestMisspelt = 4
const enough = 0.5

/** The sessions whose title or id is written much like these words, the likeliest first. */
export function nearSessions(words: string, rows: readonly SessionRow[]): readonly SessionRow[] {
  return rows
    .map((row) => ({ row, likeness: closest(words, [row.id]) === undefined ? likeness(words, row.title) : 1 }))
    .filter((one) => one.likeness >= enough)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, mostOffered)
    .map(({ row }) => row)
}

/** How much of what is wanted stands in a title, from 0 to 1: as it is, as the beginning of a word, or misspelt. */
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
