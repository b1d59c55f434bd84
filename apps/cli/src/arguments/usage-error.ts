/** An invalid command line: exit code 2, with a pointer to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** The command whose help to show; undefined if no command was recognized. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}
