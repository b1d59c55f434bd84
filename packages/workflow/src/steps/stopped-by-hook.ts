import type { Turn } from '@loader/session-core'
import type { Step } from '../words/step.ts'

type Finish = Extract<Step, { type: 'finish' }>

/** A hook may end the turn at any moment, and may refuse its input before it begins. */
export function stoppedByHook({ hooks }: Turn): Finish | undefined {
  const verdict = hooks.find(({ on, decision }) => {
    return decision === 'cancel' || decision === 'fail' || (decision === 'deny' && on === 'prompt_submitted')
  })
  if (verdict === undefined) return undefined
  const said = verdict.message === undefined ? '' : `: ${verdict.message}`
  return { type: 'finish', reason: 'stopped_by_hook', summary: `Hook ${verdict.hook} ended the turn${said}` }
}
