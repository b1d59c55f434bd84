/** A part of the system prompt, under its heading. */
export interface Section {
  readonly name: string
  readonly lines: readonly string[]
}

export function sectionText({ name, lines }: Section): string {
  return [`# ${name}`, ...lines].join('\n')
}
