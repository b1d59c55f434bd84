/** A project with what people do in it, one after the other. Each succeeds without a question. */
export interface Project {
  readonly kind: string
  /** Programs without which it cannot be tried. */
  readonly needs: readonly string[]
  readonly files: Readonly<Record<string, string>>
  /** How it is set up before, by the user. */
  readonly setup?: string
  /** What is done, and what it prints when that matters. */
  readonly commands: readonly (string | readonly [command: string, prints: RegExp])[]
}
