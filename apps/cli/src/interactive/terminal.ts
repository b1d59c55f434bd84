import type { Chat } from './chat.ts'

/** Whoever takes what is typed. */
export interface Host {
  readonly chat: Chat
  /** A whole line, or several. False when it is no answer to what is asked. */
  submit(text: string): boolean
  /** Stops the turn that is running; the second time, leaves. */
  stop(): void
  /** Ends the conversation. */
  leave(): void
}

/** A place to talk at. */
export interface Terminal {
  readonly columns: number
  /** Lines that stay. */
  print(lines: readonly string[]): void
  /** Something that is shown besides has changed. */
  refresh(): void
  /** Words of the user that begin something. */
  echo(text: string): void
  /** From now on keys are read. */
  attach(host: Host): void
  /** It is the user's turn. */
  ready(): void
  /** Words for the user to change and send. */
  propose(text: string): void
  /** Leaves the terminal as it was found. */
  close(): void
}
