import type { Console } from './console.ts'

/** Characters that are valid in JSON but that a terminal would interpret. */
const obeyed = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** Prints one JSON value, indented and safe to view in a terminal. */
export function printJson({ stdout }: Console, value: unknown): void {
  stdout.write(`${visibleJson(JSON.stringify(value, null, 2))}\n`)
}

/** The same JSON, with characters that a terminal would interpret written as escapes. */
export function visibleJson(json: string): string {
  return json.replace(obeyed, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function printLines({ stdout }: Console, lines: readonly string[]): void {
  stdout.write(lines.map((line) => `${line}\n`).join(''))
}
