/** How commands and programs are run. */
export interface ProcessOptions {
  /**
   * The environment theirs is made from; only listed names are passed. Absent means the environment of this process.
   */
  readonly variables?: Readonly<Record<string, string | undefined>>
  /** Names of further variables that they get. */
  readonly passVariables?: readonly string[]
  /** The path of bubblewrap; null means to do without it. Absent means the first `bwrap` on the PATH. */
  readonly bubblewrap?: string | null
  /** How long a command may clean up after it was asked to stop, before it is killed. Absent means two seconds. */
  readonly graceMs?: number
}
