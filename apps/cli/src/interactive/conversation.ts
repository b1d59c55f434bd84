import { LoaderError } from '@loader/session-core'
import { inLines } from '@loader/readings'
import type { Program } from '../arguments/command.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Begun } from '../run/begin.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { wrap } from '../screen/width.ts'
import { Chat } from './chat.ts'
import { greeting } from './greeting.ts'
import { keepRule } from './keep-rule.ts'
import { LineQueue } from './line-queue.ts'
import { runSlash } from './run-slash.ts'
import { said } from './said.ts'
import { readSlash, type Slash, worksMeanwhile } from './slash-commands.ts'
import type { Host, Terminal } from './terminal.ts'

/** The conversation at a terminal, from the first task until the user leaves. */
export class Conversation implements Host {
  readonly program: Program
  readonly terminal: Terminal
  readonly style: Omit<LineStyle, 'columns'>
  readonly #lines = new LineQueue()
  readonly #leaveAtOnce: () => void
  #begun: Begun
  #chat: Chat
  /** Settles when everything typed during the turn was delivered. */
  #heard: Promise<unknown> = Promise.resolve()

  constructor(
    begun: Begun,
    program: Program,
    terminal: Terminal,
    style: Omit<LineStyle, 'columns'>,
    leaveAtOnce: () => void,
  ) {
    this.program = program
    this.terminal = terminal
    this.style = style
    this.#leaveAtOnce = leaveAtOnce
    this.#begun = begun
    this.#chat = this.#newChat(begun)
  }

  get chat(): Chat {
    return this.#chat
  }

  get begun(): Begun {
    return this.#begun
  }

  get look(): LineStyle {
    return { ...this.style, columns: this.terminal.columns }
  }

  /** Continues with another agent. The previous one has been closed. */
  changeTo(begun: Begun): void {
    this.#begun = begun
    this.#chat = this.#newChat(begun)
  }

  /** Prints the greeting, with the state of a resumed session. */
  greet(): void {
    this.terminal.print(greeting(this.#begun, this.look))
  }

  /** Reads tasks and commands until the user leaves. */
  async run(): Promise<void> {
    const { task } = this.#begun
    if (task !== '') {
      this.terminal.print(said(task, this.look))
      await this.#work(task)
    }
    for (;;) {
      const line = await this.nextLine()
      if (line === undefined) return
      const slash = readSlash(line)
      if (slash === undefined) await this.#work(line)
      else if ((await this.#command(slash)) === 'leave') return
    }
  }

  /** The next input of the user; undefined at its end. */
  nextLine(): Promise<string | undefined> {
    this.terminal.ready()
    return this.#lines.next()
  }

  submit(text: string): boolean {
    if (this.#chat.asked !== undefined) return this.#chat.answer(text)
    if (this.#chat.isRunning) {
      this.#heard = Promise.all([this.#heard, this.#hearMeanwhile(text)])
      return true
    }
    if (text.trim() !== '') this.terminal.echo(text)
    this.#lines.add(text)
    return true
  }

  stop(): void {
    if (this.#chat.isStopping) this.#leaveAtOnce()
    else this.#chat.stop()
  }

  leave(): void {
    if (this.#chat.isRunning) this.stop()
    this.#lines.add(undefined)
  }

  /** An empty line continues an interrupted turn. An error is shown, and the conversation continues. */
  async #work(line: string): Promise<void> {
    if (line.trim() === '' && !this.#chat.isOpen) return
    try {
      await this.#chat.work(line.trim() === '' ? undefined : line)
      await this.#heedTheRest()
    } catch (error) {
      this.#tell(error)
    }
  }

  /**
   * Messages that came too late for the turn start a new one; if the turn was stopped, they return to the input line.
   */
  async #heedTheRest(): Promise<void> {
    const { chat } = this
    await this.#heard
    while (chat.state !== null && chat.state.turn === null && chat.state.queue.length > 0) {
      if (chat.state.lastTurn?.reason === 'interrupted') {
        const unsaid = await chat.agent.drainSteeringMessages()
        return this.terminal.propose(unsaid.join('\n'))
      }
      await chat.work(undefined)
      await this.#heard
    }
  }

  /** A message for the running turn, or a command that does not disturb it. */
  async #hearMeanwhile(text: string): Promise<void> {
    if (text.trim() === '') return
    const slash = readSlash(text)
    try {
      if (slash === undefined) await this.#chat.steer(text)
      else if (slash.kind === 'command' && slash.slash.name === 'quit') this.leave()
      else if (slash.kind === 'unknown' || worksMeanwhile(slash.slash.name)) await this.#command(slash)
      else this.terminal.print([`/${slash.slash.name} has to wait for the end of the turn. Esc stops it.`])
    } catch (error) {
      this.#tell(error)
    }
  }

  async #command(
    slash: { kind: 'command'; slash: Slash } | { kind: 'unknown'; name: string },
  ): Promise<'leave' | void> {
    if (slash.kind === 'unknown') {
      this.terminal.print([`There is no command /${slash.name}. See which there are: /help`])
      return undefined
    }
    try {
      return await runSlash(slash.slash, this)
    } catch (error) {
      return this.#tell(error)
    }
  }

  #tell(error: unknown): void {
    if (!(error instanceof Error)) throw error
    const { paint, columns } = this.look
    const isKnown = LoaderError.is(error) || error instanceof UsageError
    const text = !isKnown && this.#begun.given.has('debug') ? (error.stack ?? error.message) : error.message
    this.terminal.print(inLines(text).flatMap((line) => wrap(line, columns - 1).map((part) => paint('red', part))))
  }

  #newChat({ agent, backend, places }: Begun): Chat {
    return new Chat({
      agent,
      model: backend.id,
      surface: this.terminal,
      style: this.style,
      keepRule: (rule) => keepRule(rule, places, this.look),
    })
  }
}
