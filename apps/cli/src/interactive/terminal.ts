import type { Chat } from './chat.ts'

/** Receives what the user types. */
export interface Host {
  readonly chat: Chat
  /** One or more complete lines. False if this is not a valid answer to the open question. */
  submit(text: string): boolean
  /** Stops the running turn; a second call leaves. */
  stop(): void
  /** Ends the conversation. */
  leave(): void
}

/** The terminal that a conversation runs in. */
export interface Terminal {
  readonly columns: number
  /** Prints lines that stay. */
  print(lines: readonly string[]): void
  /** The status or another part below the printed lines has changed. */
  refresh(): void
  /** Shows an input of the user that starts a task. */
  echo(text: string): void
  /** Starts reading keys. */
  attach(host: Host): void
  /** Waits for input of the user. */
  ready(): void
  /** Puts a text into the input line for the user to edit and send. */
  propose(text: string): void
  /** Restores the terminal. */
  close(): void
}
