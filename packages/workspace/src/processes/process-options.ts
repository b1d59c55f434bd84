/** How commands and programs are run. */
export interface ProcessOptions {
  /** What their environment is made from; names on a list are let in. Absent means the environment of this process. */
  readonly variables?: Readonly<Record<string, string | undefined>>
  /** Names of further variables that they get. */
  readonly passVariables?: readonly string[]
  /** Where bubblewrap is; null for doing without. Absent means the first `bwrap` on the PATH. */
  readonly bubblewrap?: string | null
  /** How long a command that was told to stop has for cleaning up, before it is killed. Absent means two seconds. */
  readonly graceMs?: number
}
