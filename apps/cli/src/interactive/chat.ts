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
  /** What is shown besides the lines has changed. */
  refresh(): void
}

export interface ChatParts {
  readonly agent: RuntimeHandle
  readonly model: string
  readonly surface: ChatSurface
  readonly style: { readonly paint: Paint; readonly glyphs: Glyphs }
  /** Keeps a rule for later sessions, and says where. */
  keepRule(rule: PermissionRule): readonly string[]
}

/** What goes with the next task only. */
export type Wishes = Pick<TaskOptions, 'mode' | 'doneWhen'>

/** What is asked right now. */
export interface OpenQuestion {
  readonly prompt: string
  readonly hint: string
  readonly letters: string
  /** When it was put. */
  readonly at: number
}

interface Waiting extends OpenQuestion {
  /** False when the line is no answer. */
  take(line: string): boolean
}

/** A conversation at a terminal: what is shown of the agent, and what becomes of the words that are typed. */
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

  /** Whether something is left to go on with. */
  get isOpen(): boolean {
    const { state } = this
    return state !== null && (state.turn !== null || state.queue.length > 0)
  }

  get asked(): OpenQuestion | undefined {
    return this.#waiting[0]
  }

  /** What the model says of itself while one waits for it. */
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

  /** What is shown of what goes on, below the lines that stay. */
  liveRows(most: number): string[] {
    const { columns } = this.#parts.surface
    const answer = this.#answer.preview
    if (answer.length > 0) return answer.slice(-most)
    if (this.asked !== undefined) return []
    const few = Math.min(most, mostOutput)
    return this.#live.lines(columns - 5, few).map((line) => `    ${this.#parts.style.paint('dim', line)}`)
  }

  /** Makes the next task begin in a mode, or end with checks. */
  wish(wishes: Wishes): void {
    this.#wishes = { ...this.#wishes, ...wishes }
  }

  /** Does a task, or goes on with what is open, and shows it. */
  async work(task: string | undefined): Promise<void> {
    if (task === undefined) return this.#run((options) => this.agent.continue(options))
    const wishes = this.#wishes
    this.#wishes = {}
    return this.#run((options) => this.agent.run(task, { ...options, ...wishes }))
  }

  /** Folds older messages into a summary. */
  async compact(instructions: string | undefined): Promise<void> {
    return this.#run((options) => this.agent.compact(instructions, options))
  }

  /** Answers what is asked; false when this is no answer. */
  answer(line: string): boolean {
    const [waiting] = this.#waiting
    if (waiting === undefined || !waiting.take(line)) return false
    this.#waiting.shift()
    this.#parts.surface.refresh()
    return true
  }

  /** Words for the turn that is running. */
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

  /** Puts a question and waits; when the turn is stopped, it is taken away. */
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

/** Rows of what a command prints while it runs. */
const mostOutput = 3
