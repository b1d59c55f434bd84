import type { FilePart } from '@loader/session-core'
import type { Chat } from './chat.ts'
import type { Choosing } from './choosing.ts'

/** Receives what the user types. */
export interface Host {
  readonly chat: Chat
  /** One or more complete lines. False if this is not a valid answer to the open question. */
  submit(text: string): boolean
  /** Answers with no where a yes is waited for; false if none is. */
  refuse(): boolean
  /** Runs a command that a key stands for. */
  command(text: string): void
  /** Takes the next mode for the next task. */
  nextMode(): void
  /** Takes the next level of thinking. */
  nextThinking(): void
  /** Stops the running turn; a second call leaves. */
  stop(): void
  /** Ends the conversation. */
  leave(): void
}

/** The terminal that a conversation runs in. */
export interface Terminal {
  readonly columns: number
  /** Rows for what goes on, below the printed lines; 0 where nothing can be drawn again. */
  readonly liveRoom: number
  /** Prints lines that stay. */
  print(lines: readonly string[]): void
  /** The status or another part below the printed lines has changed. */
  refresh(): void
  /** Shows an input of the user that starts a task. */
  echo(text: string): void
  /** Whether it can show pictures at all. */
  readonly showsPictures: boolean
  /** Lines that show a picture; none where the terminal cannot show one of this kind. */
  picture(file: FilePart): readonly string[]
  /** Starts reading keys. */
  attach(host: Host): void
  /** Waits for input of the user. */
  ready(): void
  /** Puts a text into the input line for the user to edit and send. */
  propose(text: string): void
  /** Puts a text at the cursor as a paste, which is shortened if it is long. */
  paste(text: string): void
  /** Lets the user choose; undefined if nothing was chosen. */
  choose<Value>(choosing: Choosing<Value>): Promise<Value | undefined>
  /** Gives the terminal to a program of the user until it ends. */
  lend<Result>(run: () => Promise<Result>): Promise<Result>
  /** Restores the terminal. */
  close(): void
}
