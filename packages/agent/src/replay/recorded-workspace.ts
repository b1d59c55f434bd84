import type { EventOf, SessionEvent } from '@loader/session-core'
import type { CheckRun, CheckTrials, Evidence, TreeTaken, Workspace, WorkspaceTrees } from '@loader/session-core/coding'
import type { ReplayDesk } from './replay-desk.ts'

/** A workspace that returns the recorded observations without reading files. */
export function recordedWorkspace(root: string, { session, answer }: ReplayDesk): Workspace {
  return {
    root,
    facts: () => answer(() => ({})),
    trees: recordedTrees({ session, answer }),
    trials: recordedTrials(answer),
    look: (paths) => answer(() => paths.map((path) => ({ path, exists: false }))),
    ground: () => answer(() => ({ entries: [], referenced: [], missing: [], candidates: [], facts: [] })),
    instructions: async () => [],
    runCheck: async (check) => asRun(session.find((event): event is Finished => isResult(event, check.id))?.evidence),
  }
}

/**
 * The real workspace under the path of the recorded one. It is not used where the turn was stopped or the process had
 * ended.
 */
export function livingWorkspace(root: string, workspace: Workspace, { answer }: ReplayDesk): Workspace {
  return {
    root,
    facts: () => answer(() => workspace.facts()),
    ...(workspace.trees && { trees: livingTrees(workspace.trees, answer) }),
    ...(workspace.trials && { trials: livingTrials(workspace.trials, answer) }),
    look: (paths) => answer(() => workspace.look(paths)),
    ground: (task) => answer(() => workspace.ground(task)),
    instructions: () => workspace.instructions(),
    runCheck: (check, options) => answer(() => workspace.runCheck(check, options)),
  }
}

/** The recorded trees; their content cannot be read. */
function recordedTrees({ session, answer }: Pick<ReplayDesk, 'session' | 'answer'>): WorkspaceTrees {
  const taken = (): TreeTaken => {
    const { upcoming, state } = session
    const seen = upcoming !== 'end' && upcoming.type === 'workspace.observed' ? upcoming : undefined
    const tree = seen === undefined ? state.workspace?.tree : seen.tree
    return tree == null ? { kind: 'refused', why: seen?.noTree ?? 'none was recorded' } : { kind: 'taken', tree }
  }
  return {
    take: () => answer(taken),
    takeInventory: async () => undefined,
    files: async () => new Map(),
    changes: async () => [],
    lines: async () => new Map(),
    patch: async () => '',
    without: async ([{ after }]) => ({ tree: after, torn: [] }),
    planRestore: async (from, to) => ({ from, to, steps: [] }),
    restore: async () => [],
  }
}

function livingTrees(trees: WorkspaceTrees, answer: ReplayDesk['answer']): WorkspaceTrees {
  return {
    take: (options) => answer(() => trees.take(options)),
    takeInventory: (options) => answer(() => trees.takeInventory(options)),
    files: (tree) => trees.files(tree),
    changes: (from, to) => trees.changes(from, to),
    lines: (from, to) => trees.lines(from, to),
    patch: (from, to, options) => trees.patch(from, to, options),
    without: (spans) => trees.without(spans),
    planRestore: (from, to, options) => trees.planRestore(from, to, options),
    restore: async () => [],
  }
}

/** The results of rooms and what followed from them are taken from the history. */
function recordedTrials(answer: ReplayDesk['answer']): CheckTrials {
  const nobody = { files: new Set<string>(), importers: () => new Set<string>(), namers: () => new Set<string>() }
  const none = () => false
  return {
    made: async ({ base }) => base,
    lookBeside: async () => ({}),
    besideChanges: async () => ({ ignored: [], packages: [], session: [], notLooked: [] }),
    moveIgnored: async (kept) => kept,
    packages: async () => undefined,
    keepIgnored: async () => undefined,
    environment: () => answer(() => ''),
    run: (_check, _experiment, { now }) =>
      answer(() => ({
        outcome: { kind: 'not_shown', why: 'not_tried' },
        tree: now,
        told: '',
        isKept: false,
        durationMs: 0,
      })),
    survey: async () => ({
      changes: [],
      view: {
        before: nobody,
        now: nobody,
        testKind: () => 'none',
        isSnapshot: none,
        isSource: none,
        hasOwnTest: none,
        settings: new Set(),
        scripts: new Set(),
        leads: new Set(),
        programs: new Set(),
        isProtected: none,
      },
      isInBefore: true,
      running: new Set(),
      namesTests: false,
      ignored: [],
      packages: [],
      suppressed: () => [],
    }),
  }
}

function livingTrials(trials: CheckTrials, answer: ReplayDesk['answer']): CheckTrials {
  return {
    made: (before) => trials.made(before),
    lookBeside: (options) => answer(() => trials.lookBeside(options)),
    besideChanges: (from, to, options) => answer(() => trials.besideChanges(from, to, options)),
    moveIgnored: (kept, edit) => trials.moveIgnored(kept, edit),
    packages: (options) => trials.packages(options),
    keepIgnored: (options) => trials.keepIgnored(options),
    environment: (ground) => answer(() => trials.environment(ground)),
    run: (...run) => answer(() => trials.run(...run)),
    survey: (...about) => trials.survey(...about),
  }
}

type Finished = EventOf<'check.finished'>

function isResult(event: SessionEvent, checkId: string): event is Finished {
  return event.type === 'check.finished' && event.evidence.checkId === checkId
}

const nothing: CheckRun = { outcome: 'interrupted', exitCode: null, output: '', startedAt: '', finishedAt: '' }

function asRun(evidence: Evidence | undefined): CheckRun {
  if (evidence === undefined) return nothing
  const { outcome, exitCode, signal, output, outputDigest, startedAt, finishedAt } = evidence
  return { outcome, exitCode, signal, output, outputDigest, startedAt, finishedAt }
}
