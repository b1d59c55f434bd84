import type { Workspace } from '@loader/session-core/coding'

/** The same workspace, of which no trees are kept, so that checks have no rooms either: no look at it costs a process. */
export function withoutTrees(workspace: Workspace): Workspace {
  return {
    root: workspace.root,
    facts: () => workspace.facts(),
    look: (paths) => workspace.look(paths),
    ground: (task) => workspace.ground(task),
    instructions: () => workspace.instructions(),
    runCheck: (check, options) => workspace.runCheck(check, options),
  }
}
