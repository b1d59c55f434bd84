import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readSession, type History, type SessionState } from '@loader/session-core'
import type { TimelineEntry } from '@loader/session-core/coding'
import { FileSessionStore, sessionsDirectory } from '@loader/session-fs'
import { timelineOf } from '@loader/workflow'
import { shortBytes } from '@loader/readings'
import type { Show } from './show.ts'

/** Shows what the session still tells: the decisions, their reasons and evidence, and where it is stored. */
export async function showWhatIsLeft(show: Show, root: string, sessionId: string): Promise<void> {
  const { state, history } = await readSession(new FileSessionStore({ root }), sessionId)
  show.head('loader timeline', 'what the runtime decided, and why')
  for (const { seq, summary } of turningPoints(history)) show.row(`#${seq}`, 4, summary)
  show.head('loader ledger', 'what the work rests on')
  showLedger(show, state)
  show.head('loader evidence', 'what checks have shown, and of which state of the files')
  for (const { outcome, judgement, command, tree, baseline } of state.evidence) {
    if (baseline) continue
    show.row(judgement?.word ?? outcome, 8, `${command}, on tree ${tree?.slice(0, 12) ?? 'not known'}`)
  }
  showFiles(show, sessionsDirectory({ root }))
}

/** The decisions that changed the course of the work; `loader timeline` shows all. */
function turningPoints(history: History): TimelineEntry[] {
  const kinds: ReadonlySet<string> = new Set(['route', 'reentry', 'completion_complete'])
  return timelineOf(history).filter(({ kind, policyOutcome }) => kinds.has(kind) || policyOutcome === 'planned')
}

function showLedger(show: Show, { ledger }: SessionState): void {
  const { assumptions, acceptanceAnchors, decisionBoundaries } = ledger
  for (const { status, text } of [...assumptions, ...acceptanceAnchors, ...decisionBoundaries])
    show.row(status, 8, text)
}

const meanings: readonly (readonly [ending: string, meaning: string])[] = [
  ['_index.journal.jsonl', 'changes of the index'],
  ['_index.json', 'one row for each session, for lists'],
  ['.journal.jsonl', 'every event, as it happened: the truth'],
  ['.json', 'the state after them, readable at every moment'],
]

function showFiles(show: Show, directory: string): void {
  show.head('.loader/sessions', 'where all of it lies')
  for (const name of readdirSync(directory).toSorted().toReversed()) {
    const meaning = meanings.find(([ending]) => name.endsWith(ending))
    if (meaning === undefined || name.startsWith('.')) continue
    show.row(shortBytes(statSync(join(directory, name)).size), 8, `${name}: ${meaning[1]}`)
  }
}
