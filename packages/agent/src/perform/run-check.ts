import { readCounts } from '@loader/workflow'
import { unlessAborted } from '../stage/abort.ts'
import type { MoveOf } from '../stage/move-of.ts'
import type { Stage } from '../stage/stage.ts'

/** Runs a check and records what it showed, bound to the workspace as it was before and after. */
export async function runCheck({ check, baseline }: MoveOf<'run_check'>, stage: Stage): Promise<void> {
  const { session, environment, workspace, signal, show } = stage
  const { id: checkId, command, cwd } = check
  const runId = environment.newId('run')
  session.send()
  const before = await unlessAborted(workspace.snapshot({ signal }), signal)
  if (before === undefined) return
  session.record({ type: 'check.started', runId, checkId, command, cwd, baseline })
  await session.durable()
  const onOutput = (text: string) => show({ type: 'delta.check', checkId, text })
  const run = await workspace.runCheck(check, { signal, onOutput })
  const { fingerprint: fingerprintAfter } = await workspace.snapshot()
  const output = await session.readText(run.output)
  const criteria = session.state.goal?.criteria ?? []
  session.record({
    type: 'check.finished',
    evidence: {
      ...run,
      checkId,
      runId,
      criterionIds: criteria.filter(({ checkIds }) => checkIds.includes(checkId)).map(({ id }) => id),
      command,
      cwd,
      counts: readCounts(output),
      output: await session.storeText(output),
      fingerprintBefore: before.fingerprint,
      fingerprintAfter,
      baseline,
    },
  })
}
