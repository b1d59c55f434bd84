import type { AgentEvent } from '@loader/agent'
import { type OpenCall, shownText, type ToolCall } from '@loader/session-core'
import { callTitle } from '@loader/readings'

/** What has to be known of earlier events to show a later one. */
export class Seen {
  readonly #calls = new Map<string, ToolCall>()
  readonly #previews = new Map<string, string>()
  readonly #started = new Set<string>()
  readonly #asked = new Set<string>()
  readonly #questions = new Set<string>()
  #decided = ''
  #failure = ''
  #noTrees = ''

  see(event: AgentEvent): void {
    switch (event.type) {
      case 'model.answered':
        for (const part of event.content) if (part.type === 'call') this.#calls.set(part.call.id, part.call)
        return
      case 'calls.recovered':
        for (const call of event.calls) this.#calls.set(call.id, call)
        return
      case 'call.examined':
        if (event.preview !== undefined) this.#previews.set(event.callId, shownText(event.preview))
        if (event.question !== undefined) this.#questions.add(event.callId)
        return
      case 'question.asked':
        if (event.callId !== undefined) this.#asked.add(event.callId)
        return
      default:
    }
  }

  /** Calls that an earlier process has made are in the state. */
  take(open: readonly OpenCall[]): void {
    for (const { call, examined } of open) {
      this.#calls.set(call.id, call)
      if (examined?.preview !== undefined) this.#previews.set(call.id, shownText(examined.preview))
      if (examined?.question !== undefined) this.#questions.add(call.id)
    }
  }

  /** The call in one line. */
  title(callId: string): string {
    const call = this.#calls.get(callId)
    if (call === undefined) return callId
    return callTitle(call)
  }

  tool(callId: string): string {
    return this.#calls.get(callId)?.name ?? ''
  }

  /** Whether the call is a question to the user. */
  isQuestion(callId: string): boolean {
    return this.#questions.has(callId)
  }

  /** What the call would do; nothing when the user has just been shown it. */
  preview(callId: string): string {
    return this.#asked.has(callId) ? '' : (this.#previews.get(callId) ?? '')
  }

  /** Whether this is the first time that the start of the call is shown. */
  starts(callId: string): boolean {
    const isFirst = !this.#started.has(callId)
    this.#started.add(callId)
    return isFirst
  }

  /** Whether this says something else than what was decided just before. */
  decides(words: string): boolean {
    const said = words.replace(/^\w+: /, '')
    const isNew = said !== this.#decided
    this.#decided = said
    return isNew
  }

  /** Whether the model fails in another way than the last time. */
  fails(why: string): boolean {
    const isNew = why !== this.#failure
    this.#failure = why
    return isNew
  }

  /** Whether it is news that there are no trees of the files, or why. */
  lacksTrees(why: string): boolean {
    const isNew = why !== this.#noTrees
    this.#noTrees = why
    return isNew
  }

  /** Whether this only tells of the failure that was just shown. */
  repeatsFailure(why: string): boolean {
    return this.#failure !== '' && why.includes(this.#failure)
  }
}
