import type { AgentEvent, RunOptions, RuntimeHandle, TaskOptions } from '@loader/agent'
import type { SessionState, Signal } from '@loader/session-core'
import type { Approver, AskUser, PermissionRule } from '@loader/session-core/coding'
import { homeFolder } from '@loader/workspace'
import { permissionModeOf } from '../permissions/permission-settings.ts'
import { type BlockKind, Blocks } from '../screen/blocks.ts'
import { eventLines, type LineStyle, thoughtLines } from '../screen/event-lines.ts'
import type { Glyphs } from '../screen/glyphs.ts'
import type { Paint } from '../screen/paint.ts'
import { Seen } from '../screen/seen.ts'
import { Thoughts } from '../screen/thoughts.ts'
import { attachedLines } from './attached.ts'
import { AnswerText } from './answer-text.ts'
import { LiveWork } from './live-work.ts'
import { MarkdownLines } from './markdown.ts'
import { isPlanQuestion, planQuestion } from './plan-question.ts'
import { permissionQuestion, type Question, userQuestion } from './question.ts'
import { type MentionPlace, mentionedFiles } from '../run/mentioned-files.ts'
import { pastedFiles } from './pasted-files.ts'
import { queued, said } from './said.ts'
import type { StatusFacts } from './status-line.ts'
import { Steered } from './steered.ts'
import { todoRows } from './todo-rows.ts'
import { WindowUsed } from './window-used.ts'

interface ChatSurface {
  readonly columns: number
  /** Rows for what goes on, below the printed lines; 0 where nothing can be drawn again. */
  readonly liveRoom: number
  print(lines: readonly string[]): void
  /** The part of the screen below the printed lines has changed. */
  refresh(): void
}

export interface ChatParts {
  readonly agent: RuntimeHandle
  readonly model: string
  readonly surface: ChatSurface
  readonly style: { readonly paint: Paint; readonly glyphs: Glyphs }
  /** Where files that a message names with an @ are. */
  readonly place: MentionPlace
  /** Stores a rule for later sessions, and returns lines that say where. */
  keepRule(rule: PermissionRule): readonly string[]
}

/** Options of the next task only. */
export interface TurnOptions {
  readonly mode?: TaskOptions['mode'] | undefined
  readonly doneWhen?: TaskOptions['doneWhen'] | undefined
  readonly files?: TaskOptions['files'] | undefined
}

/** The question that the user is asked now. */
export interface OpenQuestion {
  readonly prompt: string
  readonly hint: string
  readonly letters: string
  /** When it was asked. */
  readonly at: number
}

interface Waiting extends OpenQuestion {
  readonly signal: Signal
  choices(look: LineStyle): readonly string[]
  /** The question that is left to answer, if any; undefined if the line is not a valid answer. */
  take(line: string): Waiting | 'taken' | undefined
}

/** A conversation at a terminal: shows what the agent does, and passes on what the user types. */
export class Chat {
  readonly agent: RuntimeHandle
  readonly #parts: ChatParts
  readonly #answer: AnswerText
  readonly #live = new LiveWork()
  readonly #thoughts = new Thoughts()
  readonly #blocks = new Blocks()
  readonly #steered = new Steered()
  readonly #window = new WindowUsed()
  #seen = new Seen()
  #waiting: Waiting[] = []
  #startedAt: number | undefined
  #isStopping = false
  #turnOptions: TurnOptions = {}

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
      thinking: this.agent.config.thinking ?? 'auto',
      ...(this.#turnOptions.mode !== undefined && { nextMode: this.#turnOptions.mode }),
      columns: this.#parts.surface.columns,
      ...(window !== undefined && { window }),
      ...(this.#startedAt !== undefined && { elapsed: Date.now() - this.#startedAt, doing: this.#doing }),
    }
  }

  /** The rows about current work, below the printed lines. */
  liveRows(most: number): string[] {
    const [waiting] = this.#waiting
    // What may be answered is whole, however many rows it takes.
    if (waiting !== undefined) return [...waiting.choices(this.#look)]
    const todos = this.state === null ? [] : todoRows(this.state, this.#look)
    return [...this.#workRows(Math.max(1, most - todos.length)), ...todos]
  }

  #workRows(most: number): string[] {
    const answer = this.#answer.preview
    if (answer.length > 0) return this.#apart('said', answer.slice(-most))
    return this.#apart('done', this.#live.rows(most, this.#look))
  }

  /** Rows stand where their lines will, so that nothing moves when these are printed. */
  #apart(kind: BlockKind, rows: readonly string[]): string[] {
    return rows.length > 0 && this.#blocks.parts(kind) ? ['', ...rows] : [...rows]
  }

  /** Sets the mode or the checks of the next task. */
  wish(turnOptions: TurnOptions): void {
    this.#turnOptions = { ...this.#turnOptions, ...turnOptions }
  }

  /** What was set for the next task. */
  get wished(): TurnOptions {
    return this.#turnOptions
  }

  /** Runs a task or continues the open turn, and shows it. */
  async work(task: string | undefined): Promise<void> {
    if (task === undefined) return this.#run((options) => this.agent.continue(options))
    const { mode, doneWhen, files } = this.#turnOptions
    this.#turnOptions = {}
    const turnOptions = { ...(mode && { mode }), ...(doneWhen && { doneWhen }), ...(files && { files }) }
    const quote = this.named(task)
    return this.#run((options) => this.agent.run(task, { ...options, ...turnOptions, quote }))
  }

  /** Replaces older messages by a summary. */
  async compact(instructions: string | undefined): Promise<void> {
    return this.#run((options) => this.agent.compact(instructions, options))
  }

  /** Answers the open question; false if this is not a valid answer. */
  answer(line: string): boolean {
    const [waiting] = this.#waiting
    const taken = waiting?.take(line)
    if (taken === undefined) return false
    this.#waiting.splice(0, 1, ...(taken === 'taken' ? [] : [taken]))
    this.#parts.surface.refresh()
    return true
  }

  /** Queues a message for the running turn. */
  async steer(words: string): Promise<void> {
    await this.agent.queueSteeringMessage(words, { quote: this.named(words) })
  }

  /** The files that a message names: behind an @, or as a terminal pastes a picture that is dropped on it. */
  named(words: string): readonly string[] {
    return [...new Set([...mentionedFiles(words, this.#parts.place), ...pastedFiles(words, homeFolder())])]
  }

  async #run(run: (options: RunOptions) => Promise<unknown>): Promise<void> {
    this.#startedAt = Date.now()
    this.#seen = new Seen(this.#seen.servers ?? this.state?.policy?.tools?.servers)
    this.#seen.take(this.state?.turn?.calls ?? [])
    this.#steered.take(this.state)
    this.#blocks.begin()
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
    const { style, surface } = this.#parts
    return { ...style, columns: surface.columns, calls: surface.liveRoom > 0 ? 'finished' : 'started' }
  }

  #show(event: AgentEvent): void {
    const { surface } = this.#parts
    this.#seen.see(event)
    this.#live.see(event, this.#seen)
    const thought = this.#thoughts.see(event)
    const said = [...(thought === undefined ? [] : thoughtLines(thought, this.#look)), ...this.#answer.see(event)]
    const lines = [...this.#blocks.of('said', said), ...this.#userLines(event), ...this.#doneLines(event)]
    if (lines.length > 0) surface.print(lines)
    else surface.refresh()
  }

  #doneLines(event: AgentEvent): string[] {
    const isKept = event.type === 'permission.rule_added' && event.scope === 'project'
    return this.#blocks.of('done', [
      ...(event.type === 'input.queued' && event.source === 'steering' ? queued(event.text, this.#look) : []),
      ...(event.type === 'input.queued' ? attachedLines(event, this.#look) : []),
      ...eventLines(event, this.#seen, this.#look, this.state),
      ...(isKept ? this.#parts.keepRule(event.rule) : []),
    ])
  }

  /** What the user said while the turn ran, where the model is told. */
  #userLines(event: AgentEvent): string[] {
    const words = this.#steered.see(event)
    if (words === undefined) return []
    this.#blocks.begin()
    return said(words, this.#look)
  }

  readonly #approver: Approver = {
    decide: (question, { signal }) =>
      this.#ask((isPlanQuestion(question) ? planQuestion : permissionQuestion)(question, this.#look), signal),
  }

  readonly #askUser: AskUser = (question, { signal }) => this.#ask(userQuestion(question, this.#look), signal)

  /** Where there is no room to show what may be answered, it is printed with the question. */
  #askedLines<Answer>(question: Question<Answer>): string[] {
    const shown = this.#hasRoom(question) ? [] : question.choices(this.#look)
    return this.#blocks.of('done', [...question.lines, ...shown])
  }

  #hasRoom({ choices }: Pick<Question<unknown>, 'choices'>): boolean {
    return choices(this.#look).length <= this.#parts.surface.liveRoom
  }

  /** Asks a question and waits; if the turn is stopped, the question is removed. */
  #ask<Answer>(question: Question<Answer>, signal: Signal): Promise<Answer> {
    return new Promise((resolve) => {
      const waitingFor = (asked: Question<Answer>): Waiting => {
        const { prompt, hint, letters } = asked
        const choices = (look: LineStyle) => (this.#hasRoom(asked) ? asked.choices(look) : [])
        const take = (line: string): Waiting | 'taken' | undefined => {
          const next = asked.further?.(line)
          if (next !== undefined) {
            this.#parts.surface.print(this.#askedLines(next))
            return waitingFor(next)
          }
          const answer = asked.read(line)
          if (answer === undefined) return undefined
          resolve(answer)
          return 'taken'
        }
        return { prompt, hint, letters, choices, at: Date.now(), signal, take }
      }
      this.#waiting.push(waitingFor(question))
      signal.addEventListener('abort', () => {
        this.#waiting = this.#waiting.filter((other) => other.signal !== signal)
      })
      this.#parts.surface.print(this.#askedLines(question))
    })
  }
}
