/**
 * An immutable sequence whose append costs the same at any length.
 *
 * Invariants:
 * 1. What a List shows never changes: versions share one backing array and each knows its own window of it.
 * 2. Only the version that ends where the backing array ends may grow it in place; any other copies first.
 */
export class List<Item> implements Iterable<Item> {
  readonly length: number
  readonly #items: Item[]
  readonly #start: number

  private constructor(items: Item[], start: number, length: number) {
    this.#items = items
    this.#start = start
    this.length = length
  }

  static of<Item>(...items: readonly Item[]): List<Item> {
    return List.from(items)
  }

  static from<Item>(items: Iterable<Item>): List<Item> {
    const copy = [...items]
    return new List(copy, 0, copy.length)
  }

  /** The list with one more item; with `keep`, only the newest that many. */
  append(item: Item, keep: number = Number.POSITIVE_INFINITY): List<Item> {
    const end = this.#start + this.length
    // Dropped items are released once they outnumber the kept ones.
    const grows = end === this.#items.length && this.#start <= keep
    const items = grows ? this.#items : this.toArray()
    const start = grows ? this.#start : 0
    items.push(item)
    const length = Math.min(this.length + 1, keep)
    return new List(items, start + this.length + 1 - length, length)
  }

  /** The newest that many items. */
  latest(count: number): List<Item> {
    return this.length <= count ? this : List.from(this.slice(this.length - count))
  }

  appendAll(items: readonly Item[]): List<Item> {
    return items.reduce((list: List<Item>, item) => list.append(item), this)
  }

  /** The list with another last item. */
  replaceLast(item: Item): List<Item> {
    return List.from([...this.slice(0, -1), item])
  }

  at(index: number): Item | undefined {
    const position = index < 0 ? this.length + index : index
    return position < 0 || position >= this.length ? undefined : this.#items[this.#start + position]
  }

  findLastIndex(matches: (item: Item) => boolean): number {
    for (let index = this.length - 1; index >= 0; index -= 1) {
      if (matches(this.#items[this.#start + index] as Item)) return index
    }
    return -1
  }

  slice(from: number, to?: number): Item[] {
    return this.toArray().slice(from, to)
  }

  map<Result>(change: (item: Item, index: number) => Result): Result[] {
    return this.toArray().map((item, index) => change(item, index))
  }

  filter(matches: (item: Item) => boolean): Item[] {
    return this.toArray().filter((item) => matches(item))
  }

  toArray(): Item[] {
    return this.#items.slice(this.#start, this.#start + this.length)
  }

  toJSON(): Item[] {
    return this.toArray()
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (let index = 0; index < this.length; index += 1) yield this.#items[this.#start + index] as Item
  }
}
