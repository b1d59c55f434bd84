type Init = Iterable<readonly string[]> | { readonly [name: string]: string | readonly string[] | undefined }

/**
 * The part of `Headers` that provider libraries need. The platform's own class is loaded together with its `fetch`,
 * which takes longer than starting a program. Header values are validated when they are sent.
 */
export class PlainHeaders implements Iterable<[string, string]> {
  readonly #values = new Map<string, string>()

  constructor(init: Init = []) {
    const pairs: Iterable<readonly (string | readonly string[] | undefined)[]> = isIterable(init)
      ? init
      : Object.entries(init)
    for (const [name, value] of pairs) this.append(String(name), String(value))
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value.trim())
  }

  append(name: string, value: string): void {
    const before = this.get(name)
    this.set(name, before === null ? value : `${before}, ${value.trim()}`)
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase())
  }

  forEach(see: (value: string, name: string, headers: this) => void): void {
    for (const [name, value] of this.#values) see(value, name, this)
  }

  entries(): IterableIterator<[string, string]> {
    return this.#values.entries()
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
}

function isIterable(init: Init): init is Iterable<readonly string[]> {
  return Symbol.iterator in init
}
