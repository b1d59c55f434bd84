import type { Turn } from '@loader/session-core'
import type { Proposal } from './proposal.ts'
import { readCheck } from './read-check.ts'

const most = 3

/**
 * Commands of the turn that ended well and are known runners of checks, the latest first; those that run everything
 * before those that run a part. A program is not run again merely because it was run: it may have effects.
 */
export function checksAlreadyRun({ work }: Pick<Turn, 'work'>): readonly Proposal[] {
  const succeeded = work.commands.filter(({ outcome }) => outcome === 'ok').map(({ command }) => command)
  const checks = [...new Set(succeeded.toReversed())].filter(looksLikeCheck)
  const whole = checks.filter((command) => !readCheck(command).narrow)
  return (whole.length > 0 ? whole : checks)
    .slice(0, most)
    .map((command) => ({ command, text: `\`${command}\` succeeds`, source: 'commands' }))
}

/** Whether a command runs tests, a type check, a linter or a build, and would say so if they failed. */
export function looksLikeCheck(command: string): boolean {
  return readCheck(command).strength === 'behaviour'
}
