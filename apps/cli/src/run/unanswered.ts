import type { AgentEvent } from '@loader/agent'
import type { OpenCall, SessionState } from '@loader/session-core'
import type { Policy } from '@loader/session-core/coding'
import { decidePermission, type PermissionCall } from '@loader/workflow'

/**
 * Whether a permission or an answer was needed in a non-interactive run. A call that would be denied in an interactive
 * run too does not count.
 */
export class UnansweredWatch {
  readonly #calls = new Map<string, PermissionCall>()
  readonly #root: string
  #policy: Policy | undefined
  #seen = false

  constructor(root: string, state: SessionState | null) {
    this.#root = root
    this.#policy = state?.policy ?? undefined
    for (const open of state?.turn?.calls ?? []) this.#calls.set(open.call.id, open)
  }

  get seen(): boolean {
    return this.#seen
  }

  see(event: AgentEvent): void {
    switch (event.type) {
      case 'policy.applied':
        this.#policy = event
        return
      case 'model.answered':
        for (const part of event.content) if (part.type === 'call') this.#add(part.call)
        return
      case 'calls.recovered':
        for (const call of event.calls) this.#add(call)
        return
      case 'call.examined': {
        const known = this.#calls.get(event.callId)
        if (known !== undefined) this.#calls.set(event.callId, { ...known, examined: event })
        return
      }
      case 'permission.decided':
        this.#seen ||= event.permit === 'deny' && this.#wouldBeAsked(event.callId)
        return
      case 'question.answered':
        this.#seen ||= event.outcome === 'unanswered'
        return
      default:
    }
  }

  #add(call: OpenCall['call']): void {
    this.#calls.set(call.id, { call })
  }

  /** Whether the call would be asked about in an interactive run. */
  #wouldBeAsked(callId: string): boolean {
    const call = this.#calls.get(callId)
    if (call === undefined || this.#policy === undefined) return false
    return decidePermission(call, { ...this.#policy, audience: 'user' }, [], { root: this.#root }).permit === 'ask'
  }
}
