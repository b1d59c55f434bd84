import type { CallFacts } from './permit-call.ts'
import { readShell } from './shell/read-shell.ts'

/** A call in a copy of a workspace, as it would be in the workspace itself: what it names there are the files there. */
export function asIfIn(origin: string, facts: CallFacts): CallFacts {
  const { root, shell, hint, input, paths } = facts
  if (root === undefined) return facts
  const there = (text: string) => text.replaceAll(root, origin)
  return {
    ...facts,
    root: origin,
    input: JSON.parse(there(JSON.stringify(input))) as CallFacts['input'],
    paths: paths.map((each) => ({ ...each, path: there(each.path) })),
    ...(hint !== undefined && { hint: there(hint) }),
    ...(shell && { shell: { command: there(shell.command), reading: readShell(there(shell.command)) } }),
  }
}
