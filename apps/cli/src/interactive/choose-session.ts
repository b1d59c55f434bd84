import type { SessionRow, SessionStore } from '@loader/session-core'
import { counted, inOneLine, relativeTime } from '@loader/readings'
import { FileSessionStore } from '@loader/session-fs'
import { setImmediate as untilNextTurn } from 'node:timers/promises'
import type { Choice, Choosing } from './choosing.ts'

const mostSessions = 500
const mostFound = 50

/** The sessions of the project, latest first. */
export async function sessionChoosing(store: SessionStore, except?: string): Promise<Choosing<SessionRow>> {
  const { rows: all } = await store.list({ limit: mostSessions })
  const rows = all.filter(({ parent }) => parent === undefined)
  return choosingOf(
    'Sessions of this project',
    rows.filter(({ id }) => id !== except),
    store,
  )
}

/** Sessions to choose from. What is typed is looked for in titles, and then in what was said. */
export function choosingOf(title: string, rows: readonly SessionRow[], store: SessionStore): Choosing<SessionRow> {
  const choices = rows.map(sessionChoice)
  return { title, choices, find: (words, signal) => saidIn(store, choices, words, signal) }
}

function sessionChoice(row: SessionRow): Choice<SessionRow> {
  const { id, title, updatedAt, status, verdict, turns, lastExcerpt } = row
  const standing = status === 'open' ? 'cut off' : status === 'damaged' ? 'damaged' : (verdict ?? '')
  const parts = [relativeTime(updatedAt, Date.now()), standing, counted(turns, 'turn'), inOneLine(lastExcerpt)]
  return { label: inOneLine(title), detail: parts.filter((part) => part !== '').join(' | '), words: id, value: row }
}

/** One after the other, the latest first, so that a search that is given up ends soon. */
async function saidIn(
  store: SessionStore,
  choices: readonly Choice<SessionRow>[],
  words: string,
  signal: AbortSignal,
): Promise<Choice<SessionRow>[]> {
  const { searchFor } = await import('../tables/search.ts')
  const matchesIn = searchFor(words, store instanceof FileSessionStore ? store.directory : store)
  const found: Choice<SessionRow>[] = []
  for (const choice of choices) {
    // Reading files takes no turn of the loop, in which a key could be taken.
    await untilNextTurn()
    if (signal.aborted) return []
    const [match] = await matchesIn(choice.value)
    if (match === undefined) continue
    const age = relativeTime(choice.value.updatedAt, Date.now())
    found.push({ ...choice, detail: `${age} | ${aroundMatch(inOneLine(match.excerpt), words)}` })
    if (found.length === mostFound) break
  }
  return found
}

/** What was found stands near the beginning, because the end of a row is cut. */
function aroundMatch(excerpt: string, words: string): string {
  const place = excerpt.toLowerCase().indexOf(words.toLowerCase())
  const from = excerpt.lastIndexOf(' ', Math.max(0, place - mostBefore)) + 1
  return place <= mostBefore ? excerpt : `…${excerpt.slice(from)}`
}

const mostBefore = 10
