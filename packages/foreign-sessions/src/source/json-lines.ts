import type { Records } from '../conversation/conversation.ts'

export interface JsonLine {
  /** Counted from 1. */
  readonly line: number
  readonly value: unknown
}

/** The lines of a file that are JSON objects. What is not is counted, a cut last line apart. */
export function jsonLines(text: string, counts: Counts): JsonLine[] {
  const lines = text.replace(/^\ufeff/, '').split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = parsed(line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      counts.read += 1
      return [{ line: index + 1, value }]
    }
    counts.read += 1
    counts.skip(index === lines.length - 1 ? 'cut last line' : 'not a JSON object')
    return []
  })
}

/** Counts what is read and what is left out. */
export class Counts {
  read = 0
  readonly #skipped = new Map<string, number>()

  skip(what: string, count = 1): void {
    if (count > 0) this.#skipped.set(what, (this.#skipped.get(what) ?? 0) + count)
  }

  records(): Records {
    const skipped = Object.fromEntries([...this.#skipped].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    const left = [...this.#skipped.values()].reduce((sum, count) => sum + count, 0)
    return { read: this.read, understood: Math.max(0, this.read - left), skipped }
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
