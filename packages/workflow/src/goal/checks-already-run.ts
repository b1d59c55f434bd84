import type { Turn } from '@loader/session-core'
import type { Proposal } from './proposal.ts'
import { mayBeCheck } from './test-commands.ts'

const most = 3

/**
 * Commands of the turn that ended well and look like checks, the latest first. A program is not run again merely because
 * it was run: it may have effects.
 */
export function checksAlreadyRun({ work }: Pick<Turn, 'work'>): readonly Proposal[] {
  const succeeded = work.commands.filter(({ outcome }) => outcome === 'ok').map(({ command }) => command)
  return [...new Set(succeeded.toReversed())]
    .filter(mayBeCheck)
    .slice(0, most)
    .map((command) => ({ command, text: `\`${command}\` succeeds`, source: 'commands', kind: 'test' }))
}
