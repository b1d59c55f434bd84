import type { AgentEvent } from '@loader/agent'
import { type OpenCall, shownText, type ToolCall } from '@loader/session-core'
import { callTitle } from '@loader/readings'

/** The facts from earlier events that showing a later one needs. */
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

  /** Takes over calls from an earlier process, which are in the state. */
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

  /** What the call would do; empty if the user was just shown it in a question. */
  preview(callId: string): string {
    return this.#asked.has(callId) ? '' : (this.#previews.get(callId) ?? '')
  }

  /** Whether the start of the call was not shown yet. */
  starts(callId: string): boolean {
    const isFirst = !this.#started.has(callId)
    this.#started.add(callId)
    return isFirst
  }

  /** Whether this differs from the decision shown before. */
  decides(words: string): boolean {
    const said = words.replace(/^\w+: /, '')
    const isNew = said !== this.#decided
    this.#decided = said
    return isNew
  }

  /** Whether the failure differs from the previous one. */
  fails(why: string): boolean {
    const isNew = why !== this.#failure
    this.#failure = why
    return isNew
  }

  /** Whether a missing tree, or the reason for it, was not reported yet. */
  lacksTrees(why: string): boolean {
    const isNew = why !== this.#noTrees
    this.#noTrees = why
    return isNew
  }

  /** Whether this repeats the failure that was just shown. */
  repeatsFailure(why: string): boolean {
    return this.#failure !== '' && why.includes(this.#failure)
  }
}
