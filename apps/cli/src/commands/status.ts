import { excerptOf, readSession, type SessionRow, type SessionState, shownText, summarize } from '@loader/session-core'
import type { FileSessionStore } from '@loader/session-fs'
import { callTitle, type StatusOutput } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import { columnsOf, type Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printJson, printLines } from '../console/print.ts'
import { placesOf } from '../places/places.ts'
import { paintFor } from '../screen/paint.ts'
import { storeOf } from '../sessions/chosen-session.ts'
import { allRows, findSession, requireSession } from '../sessions/find-session.ts'
import { writerOf } from '../sessions/writer-of.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { statusLines } from '../views/status-lines.ts'

const usualPermissionMode = 'workspace-write'

/** Where the project stands: model, policy, the latest session, and what is open in it. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  const { settings, trusted } = loadSettings(places, { environment: console.environment })
  const store = storeOf(places)
  const rows = await allRows(store)
  const [wanted] = given.words
  const sound = rows.find(({ status }) => status !== 'damaged')
  const row = wanted === undefined ? await findSession(store, sound?.id) : await requireSession(store, wanted)
  const output: StatusOutput = {
    project: places.root,
    trusted,
    model: settings.model ?? null,
    permissionMode: settings.permissionMode ?? usualPermissionMode,
    sessions: rows.length,
    damaged: rows.filter(({ status }) => status === 'damaged').map(({ id }) => id),
    session: row === undefined || (wanted === undefined && sound === undefined) ? null : await statusOf(store, row),
  }
  const options = { width: columnsOf(console), paint: paintFor(given, console), now: Date.now() }
  if (given.has('json')) printJson(console, output)
  else printLines(console, statusLines(output, options))
  return 'ok'
}

async function statusOf(store: FileSessionStore, row: SessionRow): Promise<NonNullable<StatusOutput['session']>> {
  const { state } = await readSession(store, row.id)
  const { policy, lastTurn, touchedFiles, compaction } = state
  return {
    ...summarize(state),
    model: policy?.model?.model ?? null,
    policy: policyOf(state),
    openTurn: openTurnOf(state),
    queue: state.queue.map(({ text }) => excerptOf(shownText(text))),
    writer: await writerOf(store, row.id),
    lastTurn:
      lastTurn === null
        ? null
        : { reason: lastTurn.reason, verdict: lastTurn.verdict ?? null, finishedAt: lastTurn.finishedAt },
    touchedFiles,
    compactions: compaction?.count ?? 0,
  }
}

function policyOf({ policy }: SessionState): NonNullable<StatusOutput['session']>['policy'] {
  if (policy === null) return null
  const { mode, promptingEnabled, ruleCounts, rulesSource } = policy.permission
  return { mode, promptingEnabled, ruleCounts, rulesSource, audience: policy.audience }
}

function openTurnOf({ turn, messages }: SessionState): NonNullable<StatusOutput['session']>['openTurn'] {
  if (turn === null) return null
  const { id, phase, startedAt, inputId, pending, calls } = turn
  const said = messages.at(messages.findLastIndex((message) => message.id === inputId))?.content ?? []
  const words = pending === null ? said.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [pending.text]
  return {
    id,
    phase,
    startedAt,
    input: excerptOf(words.map(shownText).join(' ')),
    openCalls: calls.filter(({ outcome }) => outcome === undefined).map(({ call }) => callTitle(call)),
  }
}
