import {
  type EventOf,
  LoaderError,
  type History,
  type Session,
  type SessionState,
  type SessionStore,
  stateAt,
} from '@loader/session-core'
import type { RestoredFile, RestorePlan, Workspace } from '@loader/session-core/coding'
import { saveFiles } from './files/save-files.ts'
import { liveTurns, workOfTurns } from '@loader/workflow'

/** Which turn `rewind` goes back to, and whether files go back as well. */
export interface RewindOptions {
  /** The first turn to take back, with all after it: its id, or how many turns back it is, counted from 1. */
  readonly toTurn: string | number
  /**
   * Also undo the changes of these turns to files, unless others have changed the files since.
   */
  readonly files?: boolean
  /** Only report what would happen. */
  readonly preview?: boolean
  /** The plan from a preview: exactly this is done. If absent, a plan is made. */
  readonly plan?: RestorePlan
}

/** What a rewind took back, or what its preview would. */
export interface RewindResult {
  readonly turnIds: readonly string[]
  /** The input that began the turn, for the user to send again or change. */
  readonly input: string
  /** Every file that is restored, or that stays although the turns changed it, by its absolute path. */
  readonly files: readonly RewoundFile[]
  /** Turns with unknown changes: their files stay as they are. */
  readonly unseen: readonly { readonly turnId: string; readonly why: string }[]
  /** The plan, in the result of a preview. */
  readonly plan?: RestorePlan
}

/** What a rewind did to one file, or would do. */
export interface RewoundFile extends RestoredFile {
  /** A file or folder that is removed was created by these turns. */
  readonly action?: 'write' | 'remove' | 'make_folder' | 'remove_folder'
}

interface Place {
  readonly session: Session
  readonly store: SessionStore
  readonly workspace: Workspace
}

/** Goes back to before a turn. The history keeps all events; only the window and, on request, the files go back. */
export async function rewindSession(
  { session, store, workspace }: Place,
  { toTurn, files = false, preview = false, plan: shown }: RewindOptions,
): Promise<RewindResult> {
  requireTurn(session.id, toTurn)
  if (session.state.turn !== null) {
    throw new LoaderError(
      'impossible_event',
      `Session ${session.id} has an open turn. Let it end, or stop it, before going back.`,
    )
  }
  const history = await read(store, session.id)
  const started = liveTurns(history)
  const first = typeof toTurn === 'number' ? started.at(-toTurn) : started.find(({ turnId }) => turnId === toTurn)
  if (first === undefined) throw noSuchTurn(session.id, toTurn, started)
  const turnIds = started.filter(({ seq }) => seq >= first.seq).map(({ turnId }) => turnId)
  const before = stateAt(history, first.seq - 1) as SessionState
  const queued = before.queue.find(({ inputId }) => inputId === first.inputId)
  const input = queued ? await session.readText(queued.text) : ''
  const work = files ? workOfTurns(history, turnIds) : { spans: [], unseen: [] }
  const planned = files ? await planFor(work.spans, workspace, shown) : { plan: undefined, torn: [] }
  const { plan } = planned
  const result = { turnIds, input, unseen: work.unseen }
  if (preview) {
    const foreseen = named(plan === undefined ? [] : foretold(plan), planned, workspace)
    return { ...result, files: foreseen, ...(plan && { plan }) }
  }
  const restored = named((plan && (await workspace.trees?.restore(plan))) ?? [], planned, workspace)
  await session.append(asEvent(first, before, session.state, files ? restored : undefined))
  if (restored.some(({ outcome }) => outcome === 'restored')) await look(session, workspace)
  await session.save({ snapshot: false })
  return { ...result, files: restored }
}

interface Planned {
  readonly plan: RestorePlan | undefined
  readonly torn: readonly string[]
}

/** The plan to undo the changes of these spans; undefined if there are none. */
async function planFor(
  [first, ...others]: ReturnType<typeof workOfTurns>['spans'],
  { trees }: Workspace,
  shown: RestorePlan | undefined,
): Promise<Planned> {
  if (first === undefined) return { plan: undefined, torn: [] }
  if (trees === undefined) {
    throw new LoaderError('unsupported', 'This workspace keeps no trees of its files, so none can go back.')
  }
  const { tree, torn } = await trees.without([first, ...others])
  const { after } = others.at(-1) ?? first
  return { plan: shown ?? (await trees.planRestore(after, tree)), torn }
}

function foretold({ steps }: RestorePlan): RestoredFile[] {
  return steps.map((step) =>
    step.action === 'keep'
      ? { path: step.path, outcome: 'kept', reason: step.reason }
      : { path: step.path, outcome: 'restored' },
  )
}

/** The result of each step, and of files without a step because others changed them meanwhile. */
function named(
  restored: readonly RestoredFile[],
  { plan, torn }: Planned,
  { root }: Pick<Workspace, 'root'>,
): RewoundFile[] {
  const steps = plan?.steps ?? []
  const rest = torn.filter((path) => !steps.some((step) => step.path === path))
  return [
    ...restored.map(({ path, outcome, reason }, place) => {
      const { action = 'keep' } = steps[place] ?? {}
      const why =
        outcome === 'restored' && torn.includes(path)
          ? `${meanwhile}, so it goes back no further than to that.`
          : reason
      return {
        path: `${root}/${path}`,
        outcome,
        ...(why !== undefined && { reason: why }),
        ...(outcome === 'restored' && action !== 'keep' && { action }),
      }
    }),
    ...rest.map((path) => ({ path: `${root}/${path}`, outcome: 'kept' as const, reason: `${meanwhile}.` })),
  ]
}

const meanwhile = 'Another program changed it between the calls of these turns'

/** Observes the files again, because the last observation was made before they were restored. */
async function look(session: Session, workspace: Workspace): Promise<void> {
  const taken = await workspace.trees?.take()
  if (taken === undefined) return
  const why = 'after files went back'
  if (taken.kind === 'refused') return session.append({ type: 'workspace.observed', noTree: taken.why, why })
  const tree = { ...taken.tree, leftOut: [...taken.tree.leftOut] }
  const { events, notSaved } = await saveFiles(tree, session, workspace)
  await session.append([{ type: 'workspace.observed', tree, why, notSaved }, ...events])
}

async function read(store: SessionStore, id: string): Promise<History> {
  const history = []
  for await (const event of store.read(id, { gaps: 'mark' })) history.push(event)
  return history
}

type Started = EventOf<'turn.started'>

function asEvent(
  { turnId, seq }: Started,
  before: SessionState,
  now: SessionState,
  files: readonly RewoundFile[] | undefined,
) {
  const window = before.messages.toArray()
  const through = window.at(-1)?.id ?? null
  const stands = window.every(({ id }, index) => now.messages.at(index)?.id === id)
  const { task, mode, ledger, goal, todos, brief, plan } = before
  const work = before.before === null ? null : withoutSeq(before.before)
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
    before: work,
    ...(files !== undefined && { files: files.map(({ action: _action, ...file }) => file) }),
  }
}

function withoutSeq({ seq: _seq, ...before }: NonNullable<SessionState['before']>) {
  return before
}

/** Required because `at(-0)` is the first turn and `at(NaN)` is too. */
function requireTurn(id: string, toTurn: unknown): void {
  if (typeof toTurn === 'string' || (Number.isSafeInteger(toTurn) && Number(toTurn) >= 1)) return
  throw new LoaderError(
    'invalid_id',
    `Session ${id} cannot go back to turn ${String(toTurn)}. Give the id of a turn, or how many turns to go back: 1 or more.`,
  )
}

function noSuchTurn(id: string, toTurn: string | number, started: readonly Started[]): LoaderError {
  const there = started.map(({ turnId }) => turnId).join(', ')
  const asked = typeof toTurn === 'number' ? `${toTurn} turns back` : `turn ${toTurn}`
  return new LoaderError(
    'invalid_id',
    `Session ${id} cannot go back to ${asked}. Its turns are: ${there === '' ? 'none yet' : there}.`,
  )
}
