import type { Session } from '@loader/session-core'
import type { CheckTrials, VerificationGround, WorkspaceTree } from '@loader/session-core/coding'
import { beforeAt } from '@loader/workflow'

/** What checks of a tree would run on in this folder. */
export async function groundFor(
  trials: CheckTrials,
  tree: WorkspaceTree,
  session: Pick<Session, 'id' | 'state'>,
): Promise<VerificationGround> {
  const { before } = session.state
  const packages = tree.inventory ?? (await trials.packages())
  const ignored = await trials.keepIgnored()
  const work = before ?? { tree: beforeAt(tree.id), ignored }
  const made = await trials.made(work.tree)
  const environment = await trials.environment({
    before: made,
    now: tree.id,
    packagesNow: packages,
    ignoredBefore: work.ignored ?? ignored,
    ignoredNow: ignored,
    session: session.id,
  })
  return {
    tree: tree.id,
    before: made,
    environment,
    ...(packages !== undefined && { packages }),
    ...(ignored !== undefined && { ignored }),
  }
}
