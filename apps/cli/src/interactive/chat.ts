import type { AgentEvent, RunOptions, RuntimeHandle, TaskOptions } from '@loader/agent'
import type { SessionState, Signal } from '@loader/session-core'
import type { Approver, AskUser, PermissionRule } from '@loader/session-core/coding'
import { permissionModeOf } from '../permissions/permission-settings.ts'
import { eventLines, type LineStyle } from '../screen/event-lines.ts'
import type { Glyphs } from '../screen/glyphs.ts'
import type { Paint } from '../screen/paint.ts'
import { Seen } from '../screen/seen.ts'
import { AnswerText } from './answer-text.ts'
import { LiveWork } from './live-work.ts'
import { MarkdownLines } from './markdown.ts'
import { permitQuestion, type Question, userQuestion } from './question.ts'
import { queued, said } from './said.ts'
import type { StatusFacts } from './status-line.ts'
import { Steered } from './steered.ts'
import { WindowUsed } from './window-used.ts'

interface ChatSurface {
  readonly columns: number
  print(lines: readonly string[]): void
  /** The part of the screen below the printed lines has changed. */
  refresh(): void
}

export interface ChatParts {
  readonly agent: RuntimeHandle
  readonly model: string
  readonly surface: ChatSurface
  readonly style: { readonly paint: Paint; readonly glyphs: Glyphs }
  /** Stores a rule for later sessions, and returns lines that say where. */
  keepRule(rule: PermissionRule): readonly string[]
}

/** Options of the next task only. */
export type Wishes = Pick<TaskOptions, 'mode' | 'doneWhen'>

/** The question that the user is asked now. */
export interface OpenQuestion {
  readonly prompt: string
  readonly hint: string
  readonly letters: string
  /** When it was asked. */
  readonly at: number
}

interface Waiting extends OpenQuestion {
  /** False if the line is not a valid answer. */
  take(line: string): boolean
}

/** A conversation at a terminal: shows what the agent does, and passes on what the user types. */
export class Chat {
  readonly agent: RuntimeHandle
  readonly #parts: ChatParts
  readonly #answer: AnswerText
  readonly #live = new LiveWork()
  readonly #steered = new Steered()
  readonly #window = new WindowUsed()
  #seen = new Seen()
  #waiting: Waiting[] = []
  #startedAt: number | undefined
  #isStopping = false
  #wishes: Wishes = {}

  constructor(parts: ChatParts) {
    this.agent = parts.agent
    this.#parts = parts
    this.#answer = new AnswerText(new MarkdownLines(parts.style.paint, () => parts.surface.columns))
  }

  get isRunning(): boolean {
    return this.#startedAt !== undefined
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Whether there is a turn to continue. */
  get isOpen(): boolean {
    const { state } = this
    return state !== null && (state.turn !== null || state.queue.length > 0)
  }

  get asked(): OpenQuestion | undefined {
    return this.#waiting[0]
  }

  /** What the model reports while the user waits for it. */
  get waitingFor(): string {
    return this.#live.status
  }

  get state(): SessionState | null {
    return this.agent.session.state
  }

  get status(): StatusFacts {
    const { state } = this
    const window = this.#window.of(state)
    return {
      state,
      model: this.#parts.model,
      permissionMode: permissionModeOf(this.agent),
      columns: this.#parts.surface.columns,
      ...(window !== undefined && { window }),
      ...(this.#startedAt !== undefined && { elapsed: Date.now() - this.#startedAt, doing: this.#doing }),
    }
  }

  /** The rows about current work, below the printed lines. */
  liveRows(most: number): string[] {
    const { columns } = this.#parts.surface
    const answer = this.#answer.preview
    if (answer.length > 0) return answer.slice(-most)
    if (this.asked !== undefined) return []
    const few = Math.min(most, mostOutput)
    return this.#live.lines(columns - 5, few).map((line) => `    ${this.#parts.style.paint('dim', line)}`)
  }

  /** Sets the mode or the checks of the next task. */
  wish(wishes: Wishes): void {
    this.#wishes = { ...this.#wishes, ...wishes }
  }

  /** Runs a task or continues the open turn, and shows it. */
  async work(task: string | undefined): Promise<void> {
    if (task === undefined) return this.#run((options) => this.agent.continue(options))
    const wishes = this.#wishes
    this.#wishes = {}
    return this.#run((options) => this.agent.run(task, { ...options, ...wishes }))
  }

  /** Replaces older messages by a summary. */
  async compact(instructions: string | undefined): Promise<void> {
    return this.#run((options) => this.agent.compact(instructions, options))
  }

  /** Answers the open question; false if this is not a valid answer. */
  answer(line: string): boolean {
    const [waiting] = this.#waiting
    if (waiting === undefined || !waiting.take(line)) return false
    this.#waiting.shift()
    this.#parts.surface.refresh()
    return true
  }

  /** Queues a message for the running turn. */
  async steer(words: string): Promise<void> {
    await this.agent.queueSteeringMessage(words)
  }

  async #run(run: (options: RunOptions) => Promise<unknown>): Promise<void> {
    this.#startedAt = Date.now()
    this.#seen = new Seen()
    this.#seen.take(this.state?.turn?.calls ?? [])
    this.#steered.take(this.state)
    try {
      await run({ onEvent: (event) => this.#show(event), approver: this.#approver, askUser: this.#askUser })
    } finally {
      this.#startedAt = undefined
      this.#isStopping = false
      this.#waiting = []
      this.#parts.surface.refresh()
    }
  }

  stop(): void {
    this.#isStopping = true
    this.agent.cancel('interrupted at the terminal')
    this.#parts.surface.refresh()
  }

  get #doing(): string {
    return this.#isStopping ? 'stopping; Ctrl-C again leaves at once' : this.#live.doing
  }

  get #look(): LineStyle {
    return { ...this.#parts.style, columns: this.#parts.surface.columns }
  }

  #show(event: AgentEvent): void {
    const { surface } = this.#parts
    this.#seen.see(event)
    this.#live.see(event, this.#seen)
    const lines = [
      ...this.#answer.see(event),
      ...this.#userLines(event),
      ...eventLines(event, this.#seen, this.#look, this.state),
    ]
    if (event.type === 'permission.rule_added' && event.scope === 'project')
      lines.push(...this.#parts.keepRule(event.rule))
    if (lines.length > 0) surface.print(lines)
    else surface.refresh()
  }

  #userLines(event: AgentEvent): string[] {
    const words = this.#steered.see(event)
    if (words !== undefined) return said(words, this.#look)
    if (event.type === 'input.queued' && event.source === 'steering') return queued(event.text, this.#look)
    return []
  }

  readonly #approver: Approver = {
    decide: (question, { signal }) => this.#ask(permitQuestion(question, this.#look), signal),
  }

  readonly #askUser: AskUser = (question, { signal }) => this.#ask(userQuestion(question, this.#look), signal)

  /** Asks a question and waits; if the turn is stopped, the question is removed. */
  #ask<Answer>(question: Question<Answer>, signal: Signal): Promise<Answer> {
    const { lines, prompt, hint, letters } = question
    return new Promise((resolve) => {
      const take = (line: string) => {
        const answer = question.read(line)
        if (answer !== undefined) resolve(answer)
        return answer !== undefined
      }
      const waiting: Waiting = { prompt, hint, letters, at: Date.now(), take }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
      })
      this.#parts.surface.print(lines)
    })
  }
}

/** Rows of the output of a running command. */
const mostOutput = 3
