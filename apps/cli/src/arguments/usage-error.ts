/** The command line cannot be understood: exit code 2, and a hint where to look. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** The command whose help tells more; absent when none was recognised. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}
