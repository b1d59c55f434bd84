import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '@loader/workspace'
import * as z from 'zod'

const mostKept = 500
/** The file is rewritten when it has this many entries. */
const mostLines = 2 * mostKept
const longest = 20_000

/** What was said in this project, over all sessions, oldest first. One JSON string a line; only this user can read it. */
export class InputHistory {
  readonly #file: string | undefined
  readonly #texts: string[]

  /** Without a file, it is kept for this session only. */
  constructor(file: string | undefined) {
    this.#file = file
    const lines = file === undefined ? [] : linesOf(file)
    this.#texts = lines.flatMap(textIn).slice(-mostKept)
    if (file !== undefined && lines.length > mostLines) this.#rewrite(file)
  }

  get texts(): readonly string[] {
    return this.#texts
  }

  add(text: string): void {
    if (text.trim() === '' || text.length > longest || this.#texts.at(-1) === text) return
    this.#texts.push(text)
    if (this.#file === undefined) return
    orForgotten(() => {
      mkdirSync(dirname(this.#file ?? ''), { recursive: true, mode: 0o700 })
      appendFileSync(this.#file ?? '', `${JSON.stringify(text)}\n`, { mode: 0o600 })
    })
  }

  #rewrite(file: string): void {
    orForgotten(() =>
      writeFileSync(file, this.#texts.map((text) => `${JSON.stringify(text)}\n`).join(''), { mode: 0o600 }),
    )
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1)
  } catch (error) {
    if (codeOf(error) !== undefined) return []
    throw error
  }
}

/** A line that was cut off, or that another version wrote, is left out. */
function textIn(line: string): string[] {
  try {
    const text = z.string().safeParse(JSON.parse(line))
    return text.success ? [text.data] : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** A history that cannot be written is a comfort lost, and no reason to stop. */
function orForgotten(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}
