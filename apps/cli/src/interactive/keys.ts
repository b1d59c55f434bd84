/** A pressed key, or text that was typed or pasted. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'key'; readonly name: KeyName }

export type KeyName =
  | 'enter'
  | 'newline'
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'delete-word'
  | 'delete-to-start'
  | 'delete-to-end'
  | 'interrupt'
  | 'end-of-input'
  | 'redraw'
  | 'suspend'

/** The sequences that terminals send for special keys. Terminals differ widely. */
const sequences: Readonly<Record<string, KeyName>> = {
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x1b[C': 'right',
  '\x1b[D': 'left',
  '\x1bOA': 'up',
  '\x1bOB': 'down',
  '\x1bOC': 'right',
  '\x1bOD': 'left',
  '\x1b[H': 'home',
  '\x1b[F': 'end',
  '\x1bOH': 'home',
  '\x1bOF': 'end',
  '\x1b[1~': 'home',
  '\x1b[4~': 'end',
  '\x1b[7~': 'home',
  '\x1b[8~': 'end',
  '\x1b[3~': 'delete',
  '\x1b[1;5C': 'word-right',
  '\x1b[1;5D': 'word-left',
  '\x1b[1;3C': 'word-right',
  '\x1b[1;3D': 'word-left',
  '\x1bf': 'word-right',
  '\x1bb': 'word-left',
  '\x1b\r': 'newline',
  '\x1b\n': 'newline',
  '\x1b[13;2u': 'newline',
  '\x1b[13;3u': 'newline',
  '\x1b[27;2;13~': 'newline',
  '\x1b\x7f': 'delete-word',
  '\x1b\b': 'delete-word',
}

const controls: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  // Enter is the entry above; this is Ctrl-J, which every terminal can send.
  '\n': 'newline',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'interrupt',
  '\x04': 'end-of-input',
  '\x05': 'end',
  '\x06': 'right',
  '\x0b': 'delete-to-end',
  '\x0c': 'redraw',
  '\x0e': 'down',
  '\x10': 'up',
  '\x15': 'delete-to-start',
  '\x17': 'delete-word',
  '\x1a': 'suspend',
}

const pasteStart = '\x1b[200~'
const pasteEnd = '\x1b[201~'

/**
 * Parses the input of a terminal into keys. An incomplete sequence is kept for the next chunk. A lone escape is a key
 * only if no input follows, which the caller reports with `flush`.
 */
export class KeyReader {
  #rest = ''

  read(text: string): Key[] {
    this.#rest += text
    const keys: Key[] = []
    for (;;) {
      const key = this.#next()
      if (key === undefined) return keys
      if (key !== 'nothing') keys.push(key)
    }
  }

  /** Whether the kept input may be a complete key. A paste is kept until its end. */
  get isWaiting(): boolean {
    return this.#rest !== '' && !this.#rest.startsWith(pasteStart)
  }

  /** No more input came: a kept escape is a key, and other incomplete sequences are dropped. */
  flush(): Key[] {
    if (!this.isWaiting) return []
    const isEscape = this.#rest === '\x1b'
    this.#rest = ''
    return isEscape ? [{ kind: 'key', name: 'escape' }] : []
  }

  #next(): Key | 'nothing' | undefined {
    const rest = this.#rest
    if (rest === '') return undefined
    if (rest.startsWith(pasteStart)) return this.#paste()
    if (rest.startsWith('\x1b')) return this.#sequence()
    const control = controls[rest.charAt(0)]
    if (control !== undefined) return this.#take(1, { kind: 'key', name: control })
    const text = /^[^\p{Cc}]+/u.exec(rest)?.[0]
    return text === undefined ? this.#take(1, 'nothing') : this.#take(text.length, { kind: 'text', text })
  }

  #paste(): Key | undefined {
    const end = this.#rest.indexOf(pasteEnd)
    if (end < 0) return undefined
    const text = this.#rest.slice(pasteStart.length, end).replace(/\r\n?/g, '\n')
    return this.#take(end + pasteEnd.length, { kind: 'paste', text })
  }

  #sequence(): Key | 'nothing' | undefined {
    const rest = this.#rest
    // Pressed twice: the first one is complete.
    if (rest.startsWith('\x1b\x1b')) return this.#take(1, { kind: 'key', name: 'escape' })
    const known = Object.entries(sequences).find(([sequence]) => rest.startsWith(sequence))
    if (known !== undefined) return this.#take(known[0].length, { kind: 'key', name: known[1] })
    const foreign = /^(?:\[[0-9;?<]*[ -/]*[@-~]|O[^]|[^[O])/.exec(rest.slice(1))?.[0]
    return foreign === undefined ? undefined : this.#take(1 + foreign.length, 'nothing')
  }

  #take<Taken>(length: number, key: Taken): Taken {
    this.#rest = this.#rest.slice(length)
    return key
  }
}
