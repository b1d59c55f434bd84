import type { LocalTrees } from '../trees/open-trees.ts'
import { retime } from '../trees/settle-files.ts'
import type { CheckoutOptions, FrozenCheckout } from '../trees/trees-shown.ts'

interface Held {
  readonly tree: string
  readonly options: CheckoutOptions
  readonly checkout: Promise<FrozenCheckout>
  rooms: number
}

/**
 * How many unused checkouts are kept for the next room: a trial alternates between a few trees. The same number of
 * ignored-file trees is kept.
 */
const mostIdle = 3

/** The checkouts under the rooms. Rooms on the same tree share one: commands cannot write to it. */
export class HeldCheckouts implements AsyncDisposable {
  readonly #trees: LocalTrees
  /** In order of use, the latest last. */
  #held: readonly Held[] = []

  constructor(trees: LocalTrees) {
    this.#trees = trees
  }

  async hold(tree: string, options: CheckoutOptions): Promise<FrozenCheckout> {
    const known = this.#held.find((each) => each.tree === tree && each.options.times === options.times)
    const held = known ?? { tree, options, checkout: this.#checkOut(tree, options), rooms: 0 }
    this.#held = [...this.#held.filter((each) => each !== held), held]
    held.rooms += 1
    try {
      const { folder, repository } = await held.checkout
      const release = async () => {
        held.rooms -= 1
        await this.#letGo(mostIdle, options.times)
      }
      return { folder, tree, ...(repository === undefined ? {} : { repository }), [Symbol.asyncDispose]: release }
    } catch (error) {
      this.#held = this.#held.filter((each) => each !== held)
      throw error
    }
  }

  /** Makes all files of a checkout newer than any output built from them, unless another room is using it. */
  async makeNew({ folder, tree }: FrozenCheckout): Promise<void> {
    const held = this.#held.find((each) => each.tree === tree && each.options.times !== 'old')
    if (held?.rooms === 1) await retime(folder, new Date())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#letGo(0, 'written')
    await this.#letGo(0, 'old')
  }

  /** Reuses an idle checkout by updating only what differs. */
  async #checkOut(tree: string, options: CheckoutOptions): Promise<FrozenCheckout> {
    await this.#letGo(mostIdle - 1, options.times)
    return await this.#trees.checkOut(tree, options)
  }

  async #letGo(most: number, times: CheckoutOptions['times']): Promise<void> {
    const idle = this.#held.filter(({ rooms, options }) => rooms === 0 && options.times === times)
    const gone = idle.slice(0, Math.max(0, idle.length - most))
    this.#held = this.#held.filter((each) => !gone.includes(each))
    for (const { checkout } of gone) await (await checkout)[Symbol.asyncDispose]()
  }
}
