import type { EventOf } from '../events/event.ts'
import type { SessionState } from '../state/state.ts'
import type { OpenCall, Turn } from '../state/turn.ts'
import type { WorkspaceTree } from '../words/observed.ts'
import type { Changes } from './reducer.ts'

/**
 * The session goes on in another folder. Paths of its files now begin with that one, and what is known of the folder
 * before and lies in no tree (installed packages, ignored files) says nothing about this one.
 */
export function movedTo(state: SessionState, event: EventOf<'workspace.prepared'>): Changes {
  const { place, from, tree, missing, environment, seq, at } = event
  const { workspace, before, turn, saved } = state
  const here = movedPath(from.root, place.root)
  return {
    place: {
      ...place,
      since: state.epoch,
      ...(missing.length > 0 && { missing }),
      ...(environment !== undefined && { environment }),
      ...(tree.id === saved?.tree && tree.rest !== saved.rest && { rest: tree.rest }),
    },
    touchedFiles: state.touchedFiles.map(here),
    ...(turn && { turn: movedTurn(turn, here) }),
    ...(before && { before: { tree: before.tree, unaccepted: before.unaccepted, seq } }),
    ...(workspace && {
      workspace: {
        ...workspace,
        tree,
        noTree: null,
        looked: { seq, epoch: state.epoch },
        baseline: workspace.baseline && { ...workspace.baseline, tree: alone(workspace.baseline.tree) },
        beside: undefined,
        at,
        seq,
      },
    }),
  }
}

type MovePath = (path: string) => string

/** The path of the same file in the other folder; a path outside of the first stays what it is. */
function movedPath(from: string, to: string): MovePath {
  const [start, other] = [from.replace(/[/\\]+$/, ''), to.replace(/[/\\]+$/, '')]
  return (path) => (path === start || /^[/\\]/.test(path.slice(start.length)) ? moved(path, start, other) : path)
}

function moved(path: string, start: string, other: string): string {
  return path.startsWith(start) ? other + path.slice(start.length) : path
}

function movedTurn(turn: Turn, here: MovePath): Turn {
  return {
    ...turn,
    calls: turn.calls.map((open) => movedCall(open, here)),
    work: { ...turn.work, files: turn.work.files.map(here) },
    verification: startedAnew(turn),
  }
}

/** Checks that were under way run on the ground of this folder: what they compared with was on the machine before. */
function startedAnew({ verification, work }: Turn): Turn['verification'] {
  if (verification === undefined || work.lastEffectSeq === null) return undefined
  return { ...verification, seq: Math.min(verification.seq, work.lastEffectSeq), next: null, checks: [] }
}

/** A call that is answered stays as it was recorded. */
function movedCall(open: OpenCall, here: MovePath): OpenCall {
  const { examined, outcome } = open
  if (examined === undefined || outcome !== undefined) return open
  const { paths, intent } = examined
  return {
    ...open,
    examined: {
      ...examined,
      ...(paths && { paths: paths.map((each) => ({ ...each, path: here(each.path) })) }),
      ...(intent && { intent: intent.map((each) => ({ ...each, path: here(each.path) })) }),
    },
  }
}

function alone(tree: WorkspaceTree | null): WorkspaceTree | null {
  return tree && { id: tree.id, rest: tree.rest, leftOut: tree.leftOut }
}
