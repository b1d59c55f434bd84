import type { AgentEvent } from '@loader/agent'
import { shownText } from '@loader/session-core'
import type { MarkdownLines } from './markdown.ts'

/** Splits streamed answers into complete lines to print and the unfinished last line. */
export class AnswerText {
  readonly #markdown: MarkdownLines
  #open = ''
  #streamed: string | undefined
  /** Blank lines to print only if text follows, because an answer must not begin or end with one. */
  #blanks: number | undefined

  constructor(markdown: MarkdownLines) {
    this.#markdown = markdown
  }

  /** The unfinished part as it looks so far. */
  get preview(): string[] {
    return this.#markdown.preview(this.#open)
  }

  /** The lines that an event completes. */
  see(event: AgentEvent): string[] {
    switch (event.type) {
      case 'delta.text':
        this.#streamed = event.requestId
        return this.#add(event.text)
      case 'model.answered': {
        if (this.#streamed === event.requestId) return this.#close()
        const text = event.content.map((part) => (part.type === 'text' ? shownText(part.text) : '')).join('')
        return [...this.#add(text), ...this.#close()]
      }
      case 'model.failed':
      case 'model.interrupted':
        return this.#close()
      default:
        return []
    }
  }

  /** What is left of an answer that goes no further. */
  rest(): string[] {
    return this.#close()
  }

  #add(text: string): string[] {
    const lines = `${this.#open}${text}`.split('\n')
    this.#open = lines.pop() ?? ''
    return lines.flatMap((line) => this.#printed(this.#markdown.line(line)))
  }

  #printed(lines: readonly string[]): string[] {
    return lines.flatMap((line) => {
      if (line.trim() === '') {
        if (this.#blanks !== undefined) this.#blanks += 1
        return []
      }
      const before = Array.from({ length: this.#blanks ?? 0 }, () => '')
      this.#blanks = 0
      return [...before, line]
    })
  }

  #close(): string[] {
    const rest = this.#open.trim() === '' ? [] : this.#printed(this.#markdown.line(this.#open))
    const held = this.#printed(this.#markdown.end())
    this.#open = ''
    this.#streamed = undefined
    this.#blanks = undefined
    return [...rest, ...held]
  }
}
