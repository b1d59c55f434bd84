import { checksum } from './checksum.ts'

/** More than this of a list is not kept between two snapshots. A window of a model is smaller; an imported history may not be. */
const mostKept = 4 * 1024 * 1024
const between = ',\n  '

/**
 * The items of a list as a snapshot has them, kept from one snapshot to the next: a list mostly differs from what it was by
 * what came behind, and by what it lost in front. Items never change, so what is written of them stays right.
 *
 * Invariant: `#bytes` up to the last of `#ends` are the items, each with what stands between two in front of it, and `#sum`
 * is the checksum of all but the first byte of them.
 */
export class WrittenList {
  #items: readonly unknown[] = []
  #ends: number[] = []
  #bytes = Buffer.alloc(0)
  #sum = 0

  /** The items of a list, or undefined where they are too long to be kept: then `longPieces` has them. */
  take(items: readonly unknown[]): { readonly bytes: Uint8Array; readonly sum: number } | undefined {
    this.#dropInFront(items)
    this.#dropBehind(items)
    const from = this.#ends.length
    for (const item of items.slice(from)) if (!this.#add(item)) return this.#forget()
    this.#items = items
    const added = this.#bytes.subarray(from === 0 ? 1 : this.#endOf(from), this.#endOf(items.length))
    this.#sum = checksum(added, this.#sum)
    return { bytes: this.#bytes.subarray(1, this.#endOf(items.length)), sum: this.#sum }
  }

  #endOf(count: number): number {
    return this.#ends[count - 1] ?? 0
  }

  #dropInFront(items: readonly unknown[]): void {
    const gone = items.length === 0 ? this.#items.length : this.#items.indexOf(items[0])
    if (gone === 0) return
    const [start, end] = [this.#endOf(gone < 0 ? this.#ends.length : gone), this.#endOf(this.#ends.length)]
    this.#bytes.copyWithin(0, start, end)
    this.#keep(this.#items.slice(gone < 0 ? this.#items.length : gone), start)
  }

  #dropBehind(items: readonly unknown[]): void {
    const differs = this.#items.findIndex((item, index) => item !== items[index])
    if (differs >= 0) this.#keep(this.#items.slice(0, differs), 0)
  }

  /** These items are left, which began so many bytes further on. */
  #keep(items: readonly unknown[], start: number): void {
    const skipped = start === 0 ? 0 : this.#ends.findIndex((end) => end > start)
    const first = skipped < 0 ? this.#ends.length : skipped
    this.#items = items
    this.#ends = this.#ends.slice(first, first + items.length).map((end) => end - start)
    this.#sum = checksum(this.#bytes.subarray(1, this.#endOf(items.length)))
  }

  #add(item: unknown): boolean {
    const text = between + JSON.stringify(item)
    const end = this.#endOf(this.#ends.length)
    const most = text.length * 3
    if (end + most > this.#bytes.length) {
      if (end + most > mostKept) return false
      const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, end + most, 1024))
      this.#bytes.copy(larger, 0, 0, end)
      this.#bytes = larger
    }
    this.#ends.push(end + this.#bytes.write(text, end))
    return true
  }

  #forget(): undefined {
    this.#items = []
    this.#ends = []
    this.#bytes = Buffer.alloc(0)
    this.#sum = 0
  }
}

/** The same items, without keeping any. */
export function* longPieces(items: readonly unknown[]): Generator<Uint8Array> {
  for (const [index, item] of items.entries()) {
    yield Buffer.from((index === 0 ? between.slice(1) : between) + JSON.stringify(item))
  }
}
