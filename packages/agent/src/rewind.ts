import {
  type EventOf,
  LoaderError,
  type Recording,
  type Session,
  type SessionState,
  type SessionStore,
  stateAt,
} from '@loader/session-core'
import type { RestoredFile, Workspace, WrittenFile } from '@loader/session-core/coding'

export interface RewindOptions {
  /** The turn that is taken back, with all after it: its id, or how many turns back it is, counted from 1. */
  readonly toTurn: string | number
  /** Also put the files back that these turns have written, where nothing else has changed them. */
  readonly files?: boolean
  /** Only say what would happen. */
  readonly preview?: boolean
}

export interface RewindResult {
  readonly turnIds: readonly string[]
  /** The words that began the turn, to be said again or differently. */
  readonly input: string
  readonly files: readonly RestoredFile[]
}

interface Place {
  readonly session: Session
  readonly store: SessionStore
  readonly workspace: Workspace
}

/** Goes back to before a turn. The recording keeps what happened; only the window, and on request the files, go back. */
export async function rewindSession(
  { session, store, workspace }: Place,
  { toTurn, files = false, preview = false }: RewindOptions,
): Promise<RewindResult> {
  if (session.state.turn !== null) {
    throw new LoaderError(
      'impossible_event',
      `Session ${session.id} has an open turn. Let it end, or stop it, before going back.`,
    )
  }
  const recording = await read(store, session.id)
  const started = liveTurns(recording)
  const first = typeof toTurn === 'number' ? started.at(-toTurn) : started.find(({ turnId }) => turnId === toTurn)
  if (first === undefined) throw noSuchTurn(session.id, toTurn, started)
  const taken = started.filter(({ seq }) => seq >= first.seq)
  const before = stateAt(recording, first.seq - 1) as SessionState
  const queued = before.queue.find(({ inputId }) => inputId === first.inputId)
  const written = files ? filesWritten(recording, first.seq) : []
  const result = {
    turnIds: taken.map(({ turnId }) => turnId),
    input: queued ? await session.readText(queued.text) : '',
  }
  if (preview) return { ...result, files: written.map(({ path }) => ({ path, outcome: 'restored' as const })) }
  const restored = files ? await workspace.restore(written, session.blobs) : []
  await session.append(asEvent(first, before, session.state, files ? restored : undefined))
  await session.save()
  return { ...result, files: restored }
}

async function read(store: SessionStore, id: string): Promise<Recording> {
  const recording = []
  for await (const event of store.read(id)) recording.push(event)
  return recording
}

type Started = EventOf<'turn.started'>

/** The turns that still stand: none that an earlier rewind has taken back. */
function liveTurns(recording: Recording): Started[] {
  const turns: Started[] = []
  for (const event of recording) {
    if (event.type === 'turn.started') turns.push(event as Started)
    if (event.type === 'session.rewound') {
      const { toSeq } = event as EventOf<'session.rewound'>
      while ((turns.at(-1)?.seq ?? 0) > toSeq) turns.pop()
    }
  }
  return turns
}

/** What the calls that ended well have written since, in order. */
function filesWritten(recording: Recording, fromSeq: number): WrittenFile[] {
  const intents = new Map<string, readonly WrittenFile[]>()
  const written: WrittenFile[] = []
  for (const event of recording) {
    if (event.seq < fromSeq) continue
    if (event.type === 'call.examined') {
      const { callId, intent = [] } = event as EventOf<'call.examined'>
      intents.set(callId, intent)
    }
    if (event.type === 'tool.finished') {
      const { callId, outcome } = event as EventOf<'tool.finished'>
      if (outcome === 'ok') written.push(...(intents.get(callId) ?? []))
    }
  }
  return written
}

function asEvent(
  { turnId, seq }: Started,
  before: SessionState,
  now: SessionState,
  files: readonly RestoredFile[] | undefined,
) {
  const window = before.messages.toArray()
  const through = window.at(-1)?.id ?? null
  const stands = window.every(({ id }, index) => now.messages.at(index)?.id === id)
  const { task, mode, ledger, goal, todos, brief, plan } = before
  return {
    type: 'session.rewound' as const,
    toSeq: seq - 1,
    turnId,
    through,
    ...(!stands && { restored: window }),
    task,
    mode,
    ledger,
    goal,
    todos: [...todos],
    brief,
    plan,
    ...(files !== undefined && { files: files.map((file) => ({ ...file })) }),
  }
}

function noSuchTurn(id: string, toTurn: string | number, started: readonly Started[]): LoaderError {
  const there = started.map(({ turnId }) => turnId).join(', ')
  const asked = typeof toTurn === 'number' ? `${toTurn} turns back` : `turn ${toTurn}`
  return new LoaderError(
    'invalid_id',
    `Session ${id} cannot go back to ${asked}. Its turns are: ${there === '' ? 'none yet' : there}.`,
  )
}
