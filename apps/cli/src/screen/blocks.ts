/** What lines are: words of the model, or what was done and decided. */
export type BlockKind = 'said' | 'done'

/** Puts a blank line between what the model says and what is done. */
export class Blocks {
  /** The lines that were printed last; words of the user at the beginning of a turn. */
  #last: BlockKind | 'user' = 'user'

  /** Whether lines of this kind are set off from those above. */
  parts(kind: BlockKind): boolean {
    return this.#last === 'user' ? kind === 'said' : this.#last !== kind
  }

  /** These lines, set off where they have to be. Lines that begin with a blank one are already. */
  of(kind: BlockKind, lines: readonly string[]): string[] {
    const [first] = lines
    if (first === undefined) return []
    const isApart = this.parts(kind) && first !== ''
    this.#last = kind
    return isApart ? ['', ...lines] : [...lines]
  }

  /** The user has said something. */
  begin(): void {
    this.#last = 'user'
  }
}
