/** Numbers that look like chance, and are the same for the same seed. */
export class Chance {
  #state: number
  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b9) | 0
  }

  /** Between 0 and 1. */
  get next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  is(probability: number): boolean {
    return this.next < probability
  }

  between(least: number, most: number): number {
    return least + this.next * (most - least)
  }

  integer(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1))
  }

  oneOf<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.integer(0, choices.length - 1)] as Choice
  }
}

interface Planned {
  readonly at: number
  readonly order: number
  work: (() => void) | undefined
}

/** One simulated world: its time goes on when something happens, one thing at a time, in an order that the seed decides. */
export class World {
  readonly chance: Chance
  now = 0
  /** What must not happen, and did. */
  readonly violations: string[] = []
  /** How often something worth knowing happened. */
  readonly seen = new Map<string, number>()
  #plan: Planned[] = []

  constructor(seed: number) {
    this.chance = new Chance(seed)
  }

  after(ms: number, work: () => void): () => void {
    // What is due at the same time happens in any order.
    const planned: Planned = { at: this.now + ms, order: this.chance.next, work }
    let place = this.#plan.length
    while (place > 0 && isBefore(planned, this.#plan[place - 1] as Planned)) place -= 1
    this.#plan.splice(place, 0, planned)
    return () => {
      planned.work = undefined
    }
  }

  /** Lets the next thing happen. False when there is none. */
  step(): boolean {
    for (;;) {
      const next = this.#plan.shift()
      if (next === undefined) return false
      if (next.work === undefined) continue
      this.now = Math.max(this.now, next.at)
      next.work()
      return true
    }
  }

  violate(what: string): void {
    this.violations.push(`at ${Math.round(this.now)} ms: ${what}`)
  }

  see(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
  }
}

function isBefore(one: Planned, other: Planned): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}
