import type { AgentEvent } from '@loader/agent'
import { type EventOf, type OpenCall, shownText, type ToolCall } from '@loader/session-core'
import { callTitle, serverNews, type ServerNews } from '@loader/readings'

type Servers = NonNullable<EventOf<'policy.applied'>['tools']>['servers']

/** The facts from earlier events that showing a later one needs. */
export class Seen {
  readonly #calls = new Map<string, ToolCall>()
  readonly #previews = new Map<string, string>()
  readonly #headed = new Set<string>()
  /** The call whose lines were printed last. */
  #last: string | undefined
  readonly #asked = new Set<string>()
  readonly #questions = new Set<string>()
  #decided = ''
  #failure = ''
  #noTrees = ''
  #servers: Servers

  /** What was shown of servers of tools before. */
  constructor(servers?: Servers) {
    this.#servers = servers
  }

  get servers(): Servers {
    return this.#servers
  }

  /** What is new about servers of tools. */
  serverNews(event: EventOf<'policy.applied'>): readonly ServerNews[] {
    const news = serverNews(event, this.#servers)
    this.#servers = event.tools?.servers
    return news
  }

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
        this.#last = undefined
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

  /**
   * What has to be printed above the next line about a call: its head with what it changes, its head again because
   * lines of another call stand between, or nothing.
   */
  headOf(callId: string): 'whole' | 'again' | 'none' {
    const isHeaded = this.#headed.has(callId)
    const isLast = this.#last === callId
    this.#headed.add(callId)
    this.#last = callId
    return isHeaded ? (isLast ? 'none' : 'again') : 'whole'
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
