import type { NameText } from './file-reading.ts'

const longestName = 400
const mostNames = 20_000

/** Collects the string literals of a file that may name a path, including those joined from several parts. */
export class NamesInText {
  readonly #names = new Map<string, NameText>()
  #chain: string | undefined
  #joint: string | undefined

  get names(): readonly NameText[] {
    return [...this.#names.values()]
  }

  /** Adds a literal. `isJoined` says that it follows another part of a path, so that even a bare word names a file. */
  add(text: string, line: number, isJoined: boolean): void {
    this.#keep(text, line, isJoined)
    const chain = this.#chain
    const joint = this.#joint
    this.#joint = undefined
    this.#chain = chain === undefined || joint === undefined ? text : `${chain}${joint}${text}`
    if (this.#chain.length > longestName) this.#chain = undefined
    else if (this.#chain !== text) this.#keep(this.#chain, line, true)
  }

  /** Adds the literal parts of a text with computed pieces; parts that are not whole path segments are dropped. */
  addParts(parts: readonly string[], line: number): void {
    parts.forEach((part, index) => {
      const isLast = index === parts.length - 1
      const end = isLast ? part.length : part.lastIndexOf('/') + 1
      const start = index === 0 ? 0 : part.indexOf('/') + 1
      if (index > 0 && start === 0) return
      if (start < end) this.#keep(part.slice(start, end), line, true)
    })
    this.#chain = undefined
  }

  /** Called with the text between two literals: `joint` joins them into one path, undefined separates them. */
  between(joint: string | undefined): void {
    if (joint === undefined) this.#chain = undefined
    else this.#joint = joint
  }

  #keep(text: string, line: number, isJoined: boolean): void {
    if (text === '' || text.length > longestName || this.#names.size >= mostNames) return
    if (/[\p{Cc}<>|"]|^[a-z][\w+.-]*:|^[./]*$/iu.test(text)) return
    const as = isJoined || /[./]/.test(text) ? 'path' : 'word'
    const known = this.#names.get(text)
    if (known === undefined || (known.as === 'word' && as === 'path')) this.#names.set(text, { text, as, line })
  }
}
