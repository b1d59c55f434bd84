import {
  type BlobStore,
  type EventInput,
  type EventOf,
  excerptOf,
  isSessionEvent,
  LoaderError,
  longestInlineText,
  type History,
  type JsonValue,
  reduce,
  rootOf,
  type SessionEvent,
  type SessionState,
  type StoredEvent,
  type StoredText,
  utf8Length,
} from '@loader/session-core'
import type { Policy, PromptSection } from '@loader/session-core/coding'
import type { WorkingSession } from '../stage/stage.ts'
import { comparable, withoutTools } from './comparable.ts'
import { classOf, type Divergence, firstDifference } from './divergence.ts'
import { isFromOutside } from './from-outside.ts'
import { madeIds } from './recorded-ids.ts'
import { namesOfServers, type RecordedTools } from './tools-by-name.ts'
import { withoutRoots } from './without-roots.ts'

export interface ReplayTerms {
  readonly tools: 'stub' | 'rerun'
  /** Texts that the session stored as blobs. */
  readonly blobs: ReadonlyMap<string, string>
  /** Digest of the current descriptions of tools. */
  readonly toolsDigest: string
  /** Their names. */
  readonly toolNames: readonly string[]
  /** The current path of the workspace. */
  readonly root: string
  readonly policy: ((recorded: Policy) => Policy) | undefined
}

/** The next recorded step of the loop: an event that it has to produce, or the end of its process. */
export type Upcoming = SessionEvent | 'end'

/**
 * A session whose events are all recorded. The loop that works on it has to produce the same ones.
 *
 * Invariants:
 * 1. The state is the fold of the recorded events up to the cursor, whatever the loop produces instead.
 * 2. Events from outside are inserted at their place: right before the event of the loop that they preceded.
 * 3. No event is recorded after a divergence, nor after the recorded end of the process.
 */
export class ReplayedSession implements WorkingSession {
  readonly blobs: BlobStore
  divergence: Divergence | null = null
  readonly #history: History
  readonly #terms: ReplayTerms
  /** Thrown to end the loop; the reason is stored in this object. */
  readonly #over = new LoaderError('session_closed', 'The replay has come to its end.')
  #next = 0
  #state: SessionState | null = null
  /** Ids that were given out for the next event. */
  #given = new Set<string>()

  constructor(history: History, terms: ReplayTerms) {
    this.#history = history
    this.#terms = terms
    this.blobs = { put: async (text) => this.#keep(text), get: async (blob) => this.#textOf(blob) }
  }

  get id(): string {
    return this.state.id
  }

  get state(): SessionState {
    if (this.#state === null) throw new LoaderError('impossible_event', 'The history has no beginning to replay from.')
    return this.#state
  }

  /** The number of replayed events. */
  get replayed(): number {
    return this.#next
  }

  get isOver(): boolean {
    return this.divergence !== null || this.#next >= this.#history.length
  }

  get upcoming(): Upcoming {
    const ahead = this.#ahead().next().value
    return ahead === undefined || !isSessionEvent(ahead) || ahead.type === 'session.claimed' ? 'end' : ahead
  }

  /** The next recorded event of this kind, or the latest one if an earlier process recorded it. */
  find<Found extends SessionEvent>(isIt: (event: SessionEvent) => event is Found): Found | undefined {
    const isWanted = (event: StoredEvent): event is Found => isSessionEvent(event) && isIt(event)
    for (let index = this.#next; index < this.#history.length; index += 1) {
      const event = this.#history[index]
      if (event !== undefined && isWanted(event)) return event
    }
    return this.#history.slice(0, this.#next).findLast(isWanted)
  }

  /** The recorded hooks that come next, in order. */
  nextHooks(): readonly EventOf<'hook.finished'>[] {
    const hooks: EventOf<'hook.finished'>[] = []
    for (const event of this.#ahead()) {
      if (!isSessionEvent(event) || event.type !== 'hook.finished') break
      hooks.push(event)
    }
    // If no hook ran, none may be asked for.
    const [first] = hooks
    if (first === undefined) this.record({ type: 'hook.finished', hook: 'none', on: 'never', decision: 'continue' })
    return hooks.filter(({ on, callId }) => on === first?.on && callId === first.callId)
  }

  /** What a call recorded besides its result: a list of todos, or a statement. */
  leftBy(callId: string): EventOf<'todos.updated'> | EventOf<'statement.made'> | undefined {
    const place = this.#history.findIndex(
      (event) => isSessionEvent(event) && event.type === 'tool.finished' && event.callId === callId,
    )
    const next = this.#history[place + 1]
    if (next === undefined || !isSessionEvent(next)) return undefined
    return next.type === 'todos.updated' || next.type === 'statement.made' ? next : undefined
  }

  /** The next rendered prompt; if it does not change, the current one. */
  get prompt(): { readonly text: string; readonly sections: readonly PromptSection[] } | undefined {
    const { upcoming } = this
    const prompt = upcoming !== 'end' && upcoming.type === 'prompt.rendered' ? upcoming : this.state.prompts.at(-1)
    return prompt?.text === undefined ? undefined : { text: this.text(prompt.text), sections: prompt.sections }
  }

  /** The tools as they were recorded for what comes next. */
  get tools(): RecordedTools {
    const event = this.#history[this.#next]
    const isPolicy = event !== undefined && isSessionEvent(event) && event.type === 'policy.applied'
    return (isPolicy ? event : this.#state?.policy)?.tools
  }

  /** Ends the loop where the recorded process ended. */
  end(): never {
    throw this.#over
  }

  /** Whether this error ended the loop. */
  hasEndedWith(error: unknown): boolean {
    return error === this.#over
  }

  /** Takes the events before the first step: claims, and whatever came from outside. */
  takeFromOutside(): void {
    for (;;) {
      const event = this.#history[this.#next]
      if (event === undefined || this.divergence !== null) return
      if (event.type !== 'session.claimed' && !isFromOutside(event, { turn: this.#state?.turn ?? null })) return
      this.#take(event)
    }
  }

  /** Takes the policy that was applied here, in the middle of a run. */
  takePolicy(): void {
    const event = this.#history[this.#next]
    if (event !== undefined && isSessionEvent(event) && event.type === 'policy.applied') this.#take(event)
  }

  /** The loop rests although the history continues. */
  rest(): void {
    const event = this.#history[this.#next]
    if (event === undefined || event.type === 'session.claimed' || isFromOutside(event, this.state)) return
    this.#diverge(event, null)
  }

  record(input: EventInput): SessionEvent {
    if (this.#isPromptAsBefore(input)) return this.#history[this.#next - 1] as SessionEvent
    this.#insertFromOutside(input)
    const event = this.#history[this.#next]
    if (this.isOver || event === undefined || event.type === 'session.claimed') throw this.#over
    if (input.type !== 'stop.requested' && isStopForFullStorage(event)) throw refused()
    if (this.#differs(event, input)) throw this.#over
    this.#take(event)
    return event as SessionEvent
  }

  recordAll(inputs: readonly EventInput[]): readonly SessionEvent[] {
    return inputs.map((input) => this.record(input))
  }

  async append(input: EventInput | readonly EventInput[]): Promise<void> {
    this.recordAll('type' in input ? [input] : input)
  }

  async durable(): Promise<void> {}

  send(): void {}

  async save(): Promise<void> {}

  async storeText(text: string): Promise<StoredText> {
    if (utf8Length(text) <= longestInlineText) return text
    return { ...this.#keep(text), excerpt: excerptOf(text) }
  }

  async readText(text: StoredText): Promise<string> {
    return this.text(text)
  }

  text(text: StoredText): string {
    return typeof text === 'string' ? text : this.#textOf(text.blob)
  }

  /** The id that was generated here when the session was recorded. */
  newId(prefix: string): string {
    for (const event of this.#ahead()) {
      const id = madeIds(event, prefix).find((made) => !this.#given.has(made))
      if (id === undefined) continue
      this.#given.add(id)
      return id
    }
    return `${prefix}_never_recorded`
  }

  /** The remaining events of the loop. */
  *#ahead(): Generator<StoredEvent, undefined> {
    const turn = this.#state?.turn ?? null
    for (let index = this.#next; index < this.#history.length; index += 1) {
      const event = this.#history[index] as StoredEvent
      if (!isFromOutside(event, { turn })) yield event
    }
    return undefined
  }

  #insertFromOutside(input: EventInput): void {
    for (;;) {
      const event = this.#history[this.#next]
      if (this.isOver || event === undefined || !isFromOutside(event, this.state)) return
      if (event.type === input.type && this.#difference(event, input) === undefined) return
      this.#take(event)
    }
  }

  #take(event: StoredEvent): void {
    if (isSessionEvent(event) && event.type === 'policy.applied' && this.#hasOtherTools(event)) return
    const { policy } = this.#terms
    const applied =
      policy !== undefined && isSessionEvent(event) && event.type === 'policy.applied'
        ? withPolicy(event, policy)
        : event
    this.#state = reduce(this.#state, applied)
    this.#next += 1
    this.#given = new Set()
  }

  #hasOtherTools({ seq, tools }: EventOf<'policy.applied'>): boolean {
    const { toolsDigest } = this.#terms
    if (tools === undefined || tools.digest === toolsDigest) return false
    if (this.#isByName(tools)) return this.#lacksTools(seq, tools.names)
    this.divergence = { class: 'tool_schema', seq, path: 'tools.digest', expected: tools.digest, actual: toolsDigest }
    return true
  }

  /** Whether tools of servers belong to these. Of how they were described, the history has a digest that covers all tools. */
  #isByName(tools: RecordedTools): boolean {
    return this.#terms.tools === 'stub' && namesOfServers(tools, this.#terms.toolNames).length > 0
  }

  #lacksTools(seq: number, recorded: readonly string[]): boolean {
    const { toolNames } = this.#terms
    if (toolNames.every((name) => recorded.includes(name))) return false
    const actual = [...new Set([...toolNames, ...recorded])]
    this.divergence = { class: 'tool_schema', seq, path: 'tools.names', expected: [...recorded], actual }
    return true
  }

  /** The loop renders a prompt anew where the tools look other than before, which those of servers always do here. */
  #isPromptAsBefore(input: EventInput): boolean {
    if (input.type !== 'prompt.rendered' || this.isOver || !this.#isByName(this.tools)) return false
    const { upcoming } = this
    const before = this.state.prompts.at(-1)
    if (before === undefined || (upcoming !== 'end' && upcoming.type === 'prompt.rendered')) return false
    const { format, sections } = before
    const last = withoutTools({ ...input, format, sections })
    return firstDifference(last as JsonValue, withoutTools(input) as JsonValue) === undefined
  }

  #differs(event: StoredEvent, input: EventInput): boolean {
    if (event.type !== input.type) return this.#diverge(event, input)
    const difference = this.#difference(event, input)
    if (difference === undefined) return false
    return this.#diverge(event, input, difference)
  }

  #difference(event: StoredEvent, input: EventInput) {
    const reconciled = isSessionEvent(event) && event.type === 'tool.finished' && event.metadata?.['settled'] === true
    const roots = [this.#state === null ? undefined : rootOf(this.#state), this.#terms.root]
    const shown = (one: StoredEvent | EventInput) => (this.#isByName(this.tools) ? withoutTools(one) : one)
    const plain = (one: StoredEvent | EventInput) =>
      withoutRoots(comparable(shown(one), this.#terms.tools, reconciled), roots)
    return firstDifference(plain(event), plain(input))
  }

  #diverge(
    event: StoredEvent,
    input: EventInput | null,
    difference?: Pick<Divergence, 'path' | 'expected' | 'actual'>,
  ): true {
    const recorded = isSessionEvent(event) && event.type === 'prompt.rendered' ? event.toolsDigest : this.#lastDigest
    const now = input?.type === 'prompt.rendered' ? input.toolsDigest : this.#terms.toolsDigest
    const actual = this.#isByName(this.tools) ? recorded : now
    this.divergence = {
      class: classOf(event, input, [recorded, actual]),
      seq: event.seq,
      ...(difference ?? { path: 'type', expected: event.type, actual: input?.type ?? null }),
    }
    return true
  }

  get #lastDigest(): string | undefined {
    return this.#state?.prompts.at(-1)?.toolsDigest
  }

  #keep(text: string): { readonly blob: string; readonly bytes: number } {
    const known = [...this.#terms.blobs].find(([, other]) => other === text)?.[0]
    return { blob: known ?? 'never_recorded', bytes: utf8Length(text) }
  }

  #textOf(blob: string): string {
    const text = this.#terms.blobs.get(blob)
    if (text !== undefined) return text
    throw new LoaderError(
      'blob_missing',
      `The text ${blob} of the history is not there. Replay it where its blobs are.`,
    )
  }
}

function withPolicy(event: EventOf<'policy.applied'>, policy: (recorded: Policy) => Policy): EventOf<'policy.applied'> {
  const { type, seq, at, ...recorded } = event
  return { type, seq, at, ...policy(recorded) } as EventOf<'policy.applied'>
}

/** The store refused events here; only the end of the turn shows it. */
function isStopForFullStorage(event: StoredEvent): boolean {
  return isSessionEvent(event) && event.type === 'stop.requested' && event.reason === 'storage_full'
}

function refused(): LoaderError {
  return new LoaderError('storage_full', 'The disk was full here when the session was recorded.')
}
