import { LoaderError, type Session } from '@loader/session-core'
import type { Judgement } from '@loader/session-core/coding'
import { type Acceptable, acceptableOf, acceptanceOf } from '@loader/workflow'
import type { AgentPorts } from './stage/stage.ts'

/** The result of accepting changed checks as they are now, or of a preview. */
export interface AcceptResult {
  readonly files: readonly string[]
  readonly packages: readonly string[]
  readonly tests: readonly string[]
  /** The changes to these files since before the work, in the format of `git diff`. */
  readonly patch: string
  /** The judgement of the turn after accepting; in a preview, the judgement before it. */
  readonly judgement: Judgement
}

/** Accepts what the last turn rests on, in the files as they were judged. */
export async function acceptLastTurn(
  session: Session,
  { workspace, environment }: Pick<AgentPorts, 'workspace' | 'environment'>,
  { by = 'the user', preview = false }: { readonly by?: string; readonly preview?: boolean },
): Promise<AcceptResult | undefined> {
  const found = acceptableOf(session.state)
  if (found === undefined) return undefined
  await requireSameFiles(found, workspace)
  const { what, before, tree } = found
  const patch =
    what.files.length === 0 ? '' : ((await workspace.trees?.patch(before, tree, { paths: what.files })) ?? '')
  if (preview) return { ...what, patch, judgement: found.judgement }
  for (const event of acceptanceOf(session.state, found, { by, at: environment.now() })) {
    if (event.type === 'checks.accepted' || event.type === 'before.moved') session.record(event)
  }
  await session.durable()
  await session.save({ snapshot: false })
  return { ...what, patch, judgement: session.state.lastTurn?.judgement ?? found.judgement }
}

/** Fails if files changed since the judgement, because only what was judged may be accepted. */
async function requireSameFiles({ tree }: Acceptable, { trees }: AgentPorts['workspace']): Promise<void> {
  const taken = await trees?.take()
  if (taken?.kind !== 'taken' || taken.tree.id === tree) return
  throw new LoaderError(
    'impossible_event',
    'The files have changed since they were judged. Go on with the session, so that the checks run again, and accept then.',
  )
}
