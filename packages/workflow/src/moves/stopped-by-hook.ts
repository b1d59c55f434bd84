import type { Turn } from '@loader/session-core'
import type { Move } from '../move.ts'

/** A hook may end the turn, before it has begun or after a call. */
export function stoppedByHook({ hooks }: Turn): Move | undefined {
  const verdict = hooks.find(({ on, decision }) => {
    return decision === 'cancel' || decision === 'fail' || (decision === 'deny' && on === 'prompt_submitted')
  })
  if (verdict === undefined) return undefined
  const said = verdict.message === undefined ? '' : `: ${verdict.message}`
  return { type: 'finish', reason: 'stopped_by_hook', summary: `Hook ${verdict.hook} ended the turn${said}` }
}
