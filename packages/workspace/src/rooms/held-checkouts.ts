import type { LocalTrees } from '../trees/open-trees.ts'
import { retime } from '../trees/settle-files.ts'
import type { CheckoutOptions, FrozenCheckout } from '../trees/trees-shown.ts'

interface Held {
  readonly tree: string
  readonly options: CheckoutOptions
  readonly checkout: Promise<FrozenCheckout>
  rooms: number
}

/** So many stay for the next room while none lies on them: a trial goes back and forth between a few trees. As many
 * of ignored files. */
const mostIdle = 3

/** The checkouts that rooms lie on. Rooms on the same tree share one: none of them can write to it. */
export class HeldCheckouts implements AsyncDisposable {
  readonly #trees: LocalTrees
  /** The one that was used last is the last one. */
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

  /** Makes all files of a checkout newer than anything that was made of them, unless another room is looking at them. */
  async makeNew({ folder, tree }: FrozenCheckout): Promise<void> {
    const held = this.#held.find((each) => each.tree === tree && each.options.times !== 'old')
    if (held?.rooms === 1) await retime(folder, new Date())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#letGo(0, 'written')
    await this.#letGo(0, 'old')
  }

  /** One that nobody needs any more is updated by difference. */
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
