import { LoaderError, readSession, ThinkingLevel } from '@loader/session-core'
import { WorkflowMode } from '@loader/session-core/coding'
import { inLines } from '@loader/readings'
import type { Program } from '../arguments/command.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { type CustomTask, customTask } from '../custom/custom-task.ts'
import type { Begun } from '../run/beginning.ts'
import { hearing } from '../run/hearing.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { wrap } from '../screen/width.ts'
import { Chat } from './chat.ts'
import { greeting } from './greeting.ts'
import { keepRule } from './keep-rule.ts'
import { LineQueue } from './line-queue.ts'
import { readBang, runKept, runWithTerminal } from './user-command.ts'
import { runSlash } from './run-slash.ts'
import { said } from './said.ts'
import { isTaken, type ReadSlash, readSlash, type Slash, worksMeanwhile } from './slash-commands.ts'
import type { Host, Terminal } from './terminal.ts'

/** The conversation at a terminal, from the first task until the user leaves. */
export class Conversation implements Host {
  readonly program: Program
  readonly terminal: Terminal
  readonly style: Omit<LineStyle, 'columns'>
  readonly #lines = new LineQueue()
  readonly #leaveAtOnce: () => void
  #isConfirming = false
  #begun: Begun
  #chat: Chat
  /** Takes messages that other programs leave for this session, such as a page in a browser. */
  #hearing: { stop(): void }
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
    this.#hearing = this.#hear(begun)
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

  /** Continues with another agent. The previous one has been closed. What was set for the next task still holds. */
  changeTo(begun: Begun): void {
    this.#hearing.stop()
    this.#begun = begun
    const { wished } = this.#chat
    this.#chat = this.#newChat(begun)
    this.#chat.wish(wished)
    this.#hearing = this.#hear(begun)
  }

  /** Prints the greeting, with the state of a resumed session. */
  async greet(): Promise<void> {
    const { agent, store } = this.#begun
    const { id, state } = agent.session
    const history = state === null ? [] : (await readSession(store, id, { gaps: 'mark' })).history
    this.terminal.print(greeting(this.#begun, this.look, history))
  }

  /** Reads tasks and commands until the user leaves. */
  async run(): Promise<void> {
    const { task } = this.#begun
    if (task !== '') {
      this.terminal.print(said(task, this.look))
      await this.#work(task)
      this.#begun.lent.rules = []
    }
    for (;;) {
      const line = await this.nextLine()
      if (line === undefined) return
      const slash = readSlash(line)
      const bang = readBang(line)
      const custom = this.#customTask(line, slash)
      if (bang !== undefined) await this.#runAsUser(bang)
      else if (custom !== undefined) await this.#workOn(custom)
      else if (slash === undefined) await this.#work(line)
      else if ((await this.#command(slash)) === 'leave') return
    }
  }

  /** The next input of the user; undefined at its end. */
  nextLine(): Promise<string | undefined> {
    this.terminal.ready()
    return this.#lines.next()
  }

  /** Whether the next line is a yes; anything else is a no. */
  async confirm(): Promise<boolean> {
    this.#isConfirming = true
    try {
      return /^\s*y(es)?\s*$/i.test((await this.nextLine()) ?? '')
    } finally {
      this.#isConfirming = false
    }
  }

  refuse(): boolean {
    if (!this.#isConfirming) return false
    this.#isConfirming = false
    this.#lines.add('')
    return true
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

  command(text: string): void {
    if (this.#chat.isRunning) this.#heard = Promise.all([this.#heard, this.#hearMeanwhile(text)])
    else this.#lines.add(text)
  }

  nextMode(): void {
    const modes = [undefined, ...WorkflowMode.options]
    this.#chat.wish({ mode: modes[(modes.indexOf(this.#chat.wished.mode) + 1) % modes.length] })
  }

  nextThinking(): void {
    const { agent } = this.#chat
    const levels = [undefined, ...ThinkingLevel.options]
    agent.setThinking(levels[(levels.indexOf(agent.config.thinking) + 1) % levels.length])
  }

  stop(): void {
    if (this.#chat.isStopping) this.#leaveAtOnce()
    else this.#chat.stop()
  }

  leave(): void {
    if (this.#chat.isRunning) this.stop()
    this.#lines.add(undefined)
  }

  /** The task of a command of the user's own, unless a built-in command has its name. */
  #customTask(line: string, slash: ReadSlash | undefined): CustomTask | undefined {
    const isBuiltIn = slash?.kind === 'command' && isTaken(slash.slash.name)
    return isBuiltIn ? undefined : customTask(line, this.#begun.places)
  }

  /** The task of a command of the user's own, with what that command allows. */
  async #workOn({ text, rules, notes }: CustomTask): Promise<void> {
    if (notes.length > 0) this.terminal.print([...notes])
    this.#begun.lent.rules = rules
    try {
      await this.#work(text)
    } finally {
      this.#begun.lent.rules = []
    }
  }

  /** An empty line continues an interrupted turn. An error is shown, and the conversation continues. */
  async #work(line: string): Promise<void> {
    if (line.trim() === '' && !this.#chat.isOpen) return
    try {
      await this.#showPictures(line)
      await this.#chat.work(line.trim() === '' ? undefined : line)
      await this.#heedTheRest()
    } catch (error) {
      this.#tell(error)
    }
  }

  /** Shows the pictures that a message names, where the terminal can. */
  async #showPictures(words: string): Promise<void> {
    if (!this.terminal.showsPictures) return
    const paths = this.#chat.named(words).filter((path) => isPicture.test(path))
    if (paths.length === 0) return
    const { partsOf } = await import('@loader/tools')
    const { files } = await partsOf('', paths, { folder: this.#begun.places.root })
    this.terminal.print(files.flatMap((file) => this.terminal.picture(file)))
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

  /** Runs a command of the user with the terminal. */
  async #runAsUser({ command, isKept }: { readonly command: string; readonly isKept: boolean }): Promise<void> {
    const { console, places } = this.#begun
    const options = { command, folder: places.folder, environment: console.environment }
    const write = (text: string) => void console.stdout.write(text)
    const [code, printed] = await this.terminal.lend(async () =>
      isKept ? runKept(options, write) : [await runWithTerminal(options), ''],
    )
    if (code !== 0)
      this.terminal.print([this.style.paint('dim', code === null ? 'did not end by itself' : `exit ${code}`)])
    if (isKept) this.terminal.paste(`$ ${command}\n${printed.trimEnd()}\n`)
  }

  /** A message for the running turn, or a command that does not disturb it. */
  async #hearMeanwhile(text: string): Promise<void> {
    if (text.trim() === '') return
    const slash = readSlash(text)
    try {
      const custom = this.#customTask(text, slash)
      if (readBang(text) !== undefined)
        this.terminal.print(['A command of yours has to wait for the end of the turn. Esc stops it.'])
      else if (custom !== undefined)
        this.terminal.print([`/${custom.command.name} has to wait for the end of the turn. Esc stops it.`])
      else if (slash === undefined) await this.#chat.steer(text)
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

  /** A message that arrives between two turns begins a turn, as an empty line does: it is in the session already. */
  #hear({ agent }: Begun): { stop(): void } {
    return hearing(agent, {
      onMessage: () => {
        if (!this.#chat.isRunning && this.#chat.isOpen) this.#lines.add('')
      },
    })
  }

  #newChat({ agent, backend, places }: Begun): Chat {
    return new Chat({
      agent,
      model: backend.id,
      surface: this.terminal,
      style: this.style,
      place: places,
      keepRule: (rule) => keepRule(rule, places, this.look),
    })
  }
}

const isPicture = /\.(?:png|jpe?g|gif|webp)$/i
