import { getCapabilities, setKeybindings } from '@earendil-works/pi-tui'
import { basename } from 'node:path'
import type { FilePart } from '@loader/session-core'
import { inOneLine } from '@loader/readings'
import { columnsOf, type Console } from '../console/console.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { type Background, backgroundOf, type Theme } from '../screen/theme.ts'
import { cut } from '../screen/width.ts'
import { bindings, type OwnKey } from './bindings.ts'
import type { Choosing } from './choosing.ts'
import { edited, editorOf } from './external-editor.ts'
import { InputBox } from './input-box.ts'
import type { InputHistory } from './input-history.ts'
import { LiveScreen } from './live-screen.ts'
import { gitBranch } from './git-branch.ts'
import { Picker } from './picker.ts'
import { pictureRows } from './picture-rows.ts'
import type { ProjectPaths } from './project-paths.ts'
import { said } from './said.ts'
import type { Settings } from '../settings/settings.ts'
import { statusLine } from './status-line.ts'
import { Teller } from './telling.ts'
import { type NamedCommand, Suggestions } from './suggestions.ts'
import type { Host, Terminal } from './terminal.ts'
import { typedInput, typedText } from './typed-text.ts'

const tickMs = 125
const leaveWithinMs = 2000
/** A terminal that has not reported its background by then does not report it at all. */
const answersWithinMs = 300
/** A letter this soon after another key, or after a question appeared, was not meant as its answer. */
const readingMs = 600
/** Nor was a letter that is followed by another key within this time. */
const aloneMs = 250
/** Two presses of a key within this time count as a double press. */
const twiceMs = 500
/** Rows for an answer that is being written. */
const mostLive = 10
const rowsAround = 8

/** A line that begins with one of these is a command, and starts no turn. */
const isForUser = /^\s*(?:[/!]|\?\s*$)/

export interface FullTerminalParts {
  readonly console: Console
  readonly style: Omit<LineStyle, 'columns'>
  readonly theme: Theme
  readonly history: InputHistory
  readonly paths: Pick<ProjectPaths, 'list'>
  /** Commands besides those that are built in. */
  readonly commands: () => readonly NamedCommand[]
  /** The folder of the project. */
  readonly root: string
  readonly settings: Pick<Settings, 'keys' | 'notify'>
}

/** A terminal with an input and a status at the bottom, while output scrolls above. */
export class FullTerminal implements Terminal {
  readonly #console: Console
  readonly #style: Omit<LineStyle, 'columns'>
  readonly #screen: LiveScreen
  readonly #input: InputBox
  readonly #history: InputHistory
  #host: Host | undefined
  #hint = ''
  #interruptedAt = 0
  #escapedAt = 0
  readonly #root: string
  readonly #teller: Teller
  #branch: string | undefined
  #spin = 0
  #key = { text: '', at: 0, pause: 0 }
  #isClosed = false
  #letter: NodeJS.Timeout | undefined
  readonly #ticks: NodeJS.Timeout

  constructor({ console, style, theme, history, paths, commands, root, settings }: FullTerminalParts) {
    this.#root = root
    this.#teller = new Teller(basename(root), { isLoud: settings.notify !== false, environment: console.environment })
    this.#console = console
    this.#style = style
    this.#history = history
    setKeybindings(bindings(settings.keys))
    this.#screen = new LiveScreen(console.environment)
    this.#input = new InputBox(this.#screen, {
      paint: style.paint,
      rule: style.glyphs.rule,
      onKey: (key) => this.#onKey(key),
      label: () => this.#host?.chat.asked?.prompt.replace(/> $/, '') ?? '',
    })
    for (const text of history.texts) this.#input.addToHistory(typedText(text))
    this.#input.setAutocompleteProvider(new Suggestions(() => paths.list(), commands))
    this.#input.onSubmit = (text) => this.#submit(text)
    this.#input.onChange = (text) => this.#onChange(text)
    this.#screen.addChild({ render: () => this.#liveRows(), invalidate: () => undefined })
    this.#screen.addChild(this.#input)
    this.#screen.addChild({ render: () => [this.#statusRow()], invalidate: () => undefined })
    this.#screen.setFocus(this.#input)
    this.#screen.addInputListener((data) => ({ data: this.#typed(data) }))
    console.stdin.on('end', this.#onEnd)
    console.stdin.on('error', this.#onEnd)
    this.#screen.start()
    if (theme.follows) this.#follow(theme)
    this.#branch = gitBranch(root)
    this.#screen.terminal.write(this.#teller.begin())
    this.#ticks = setInterval(() => this.#tick(), tickMs)
  }

  /** The input and the status keep their rows, and a few of what was printed stay in view. */
  get liveRoom(): number {
    return Math.max(1, this.#screen.terminal.rows - rowsAround)
  }

  get columns(): number {
    return columnsOf(this.#console)
  }

  attach(host: Host): void {
    this.#host = host
    this.refresh()
  }

  ready(): void {
    this.refresh()
  }

  print(lines: readonly string[]): void {
    this.#tell()
    if (lines.length > 0) this.#screen.print(lines)
  }

  echo(text: string): void {
    const isFirst = this.#host?.chat.state?.lastTurn == null
    const place = isFirst || isForUser.test(text) ? 'alone' : 'below a rule'
    this.print(said(text, { ...this.#style, columns: this.columns }, place))
  }

  get showsPictures(): boolean {
    return getCapabilities().images !== null
  }

  picture({ mediaType, source }: FilePart): readonly string[] {
    if (source.kind !== 'base64' || typeof source.data !== 'string') return []
    return pictureRows(source.data, mediaType, { columns: this.columns, rows: this.#screen.terminal.rows }) ?? []
  }

  refresh(): void {
    this.#tell()
    this.#screen.requestRender()
  }

  propose(text: string): void {
    const draft = this.#input.getExpandedText()
    this.#input.setText([draft, typedText(text)].filter((part) => part.trim() !== '').join('\n'))
    this.refresh()
  }

  paste(text: string): void {
    this.#input.handleInput(`\x1b[200~${typedText(text)}\x1b[201~`)
    this.refresh()
  }

  choose<Value>(choosing: Choosing<Value>): Promise<Value | undefined> {
    const [live, input, status] = this.#screen.children
    return new Promise((resolve) => {
      const picker = new Picker<Value>({
        choosing,
        ...this.#style,
        onChange: () => this.refresh(),
        onEnd: (choice) => {
          this.#screen.children = [live, input, status].filter((child) => child !== undefined)
          this.#screen.setFocus(this.#input)
          this.refresh()
          resolve(choice?.value)
        },
      })
      this.#screen.children = [picker]
      this.#screen.setFocus(picker)
      this.refresh()
    })
  }

  async lend<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#screen.stop()
    try {
      return await run()
    } finally {
      if (!this.#isClosed) this.#screen.comeBack()
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#ticks)
    clearTimeout(this.#letter)
    this.#console.stdin.off('end', this.#onEnd)
    this.#screen.terminal.write(this.#teller.end())
    this.#screen.stop()
  }

  /** Asks the terminal for its background, and is told when it changes. */
  #follow(theme: Theme): void {
    const tell = (background: Background) => {
      theme.tell(background)
      this.refresh()
    }
    this.#screen.onTerminalColorSchemeChange(tell)
    this.#screen.setTerminalColorSchemeNotifications(true)
    void this.#screen.queryTerminalBackgroundColor({ timeoutMs: answersWithinMs }).then((color) => {
      if (color !== undefined && !this.#isClosed) tell(backgroundOf(color))
    })
  }

  #tick(): void {
    if (!this.#host?.chat.isRunning) return
    this.#spin += 1
    this.#screen.requestRender()
  }

  /** Updates the title, and rings the bell, when the activity has changed. */
  #tell(): void {
    const chat = this.#host?.chat
    const told = this.#teller.tell(chat?.asked !== undefined ? 'waits' : chat?.isRunning ? 'works' : 'rests')
    if (told === '') return
    this.#branch = gitBranch(this.#root)
    this.#screen.terminal.write(told)
  }

  #liveRows(): string[] {
    return this.#host?.chat.liveRows(Math.min(mostLive, this.liveRoom)) ?? []
  }

  get #around() {
    const { spinner } = this.#style.glyphs
    const sign = this.#host?.chat.isRunning ? spinner[this.#spin % spinner.length] : undefined
    return { ...(sign !== undefined && { sign }), ...(this.#branch !== undefined && { branch: this.#branch }) }
  }

  #statusRow(): string {
    if (this.#host === undefined) return ''
    const text =
      this.#hint === '' ? statusLine({ ...this.#host.chat.status, ...this.#around }) : cut(this.#hint, this.columns - 1)
    return this.#style.paint('dim', text)
  }

  /** The terminal was closed. */
  readonly #onEnd = (): void => this.#host?.leave()

  #typed(data: string): string {
    const now = Date.now()
    this.#key = { text: data, at: now, pause: now - this.#key.at }
    this.#hint = ''
    clearTimeout(this.#letter)
    return typedInput(data)
  }

  /** A single letter answers the open question, if the user had time to read it and nothing follows the letter. */
  #onChange(text: string): void {
    const asked = this.#host?.chat.asked
    if (asked === undefined || text.length !== 1 || text !== this.#key.text || !asked.letters.includes(text)) return
    if (this.#key.pause < readingMs || Date.now() - asked.at < readingMs) return
    this.#letter = setTimeout(() => {
      if (this.#input.getText() !== text || this.#host?.chat.asked !== asked) return
      this.#input.setText('')
      this.#host.submit(text)
    }, aloneMs)
  }

  #submit(text: string): void {
    const asked = this.#host?.chat.asked
    if (this.#host?.submit(text) === false) {
      this.#input.setText(text)
      this.#hint = asked?.hint ?? ''
      return
    }
    // Answers are not added to the history.
    if (asked === undefined) this.#remember(text)
  }

  #remember(text: string): void {
    this.#input.addToHistory(text)
    this.#history.add(text)
  }

  #onKey(key: OwnKey): boolean {
    switch (key) {
      case 'loader.stop':
        if (this.#input.isShowingAutocomplete()) return false
        this.#escape()
        return true
      case 'loader.interrupt':
        this.#interrupt()
        return true
      case 'loader.leave':
        if (this.#input.getText() !== '') return false
        this.#host?.leave()
        return true
      case 'loader.history':
        void this.#searchHistory()
        return true
      case 'loader.editor':
        void this.#editElsewhere()
        return true
      case 'loader.mode':
        this.#host?.nextMode()
        this.refresh()
        return true
      case 'loader.thinking':
        this.#host?.nextThinking()
        this.refresh()
        return true
      case 'loader.redraw':
        this.#screen.wipe()
        return true
      case 'loader.suspend':
        this.#suspend()
        return true
      default:
        return key satisfies never
    }
  }

  #escape(): void {
    const chat = this.#host?.chat
    if (chat?.isRunning) {
      if (!chat.isStopping) this.#host?.stop()
      return
    }
    if (this.#host?.refuse()) return
    const now = Date.now()
    const isTwice = now - this.#escapedAt < twiceMs
    this.#escapedAt = isTwice ? 0 : now
    if (isTwice && this.#input.getText() === '') this.#host?.command('/rewind')
  }

  async #searchHistory(): Promise<void> {
    const texts = [...new Set(this.#history.texts.toReversed())]
    const choices = texts.map((text) => ({ label: inOneLine(text), detail: '', words: text, value: text }))
    const text = await this.choose({ title: 'What was said before', choices })
    if (text !== undefined) this.#input.setText(typedText(text))
    this.refresh()
  }

  async #editElsewhere(): Promise<void> {
    const editor = editorOf(this.#console.environment)
    const draft = this.#input.getExpandedText()
    const text = await this.lend(() => edited(draft, this.#console.environment))
    if (text === undefined)
      this.#hint = `${editor} did not end well, so the draft is as it was. $EDITOR names another one.`
    else this.#input.setText(typedText(text.trimEnd()))
    this.refresh()
  }

  /** Stops the running turn; else puts the draft into the history; else leaves when pressed twice. */
  #interrupt(): void {
    if (this.#host?.chat.isRunning) return this.#host.stop()
    const draft = this.#input.getExpandedText()
    if (draft !== '') {
      this.#remember(draft)
      this.#input.setText('')
      this.#hint = 'Up brings it back.'
      return undefined
    }
    if (this.#host?.refuse()) return undefined
    const now = Date.now()
    if (now - this.#interruptedAt < leaveWithinMs) this.#host?.leave()
    this.#interruptedAt = now
    this.#hint = 'Ctrl-C again, Ctrl-D or /quit leaves. The session stays.'
    return undefined
  }

  /** Suspends the process, and gives the terminal back to the shell until it resumes. */
  #suspend(): void {
    if (process.platform === 'win32') return
    this.#screen.stop()
    process.once('SIGCONT', () => this.#screen.comeBack())
    process.kill(process.pid, 'SIGTSTP')
  }
}
