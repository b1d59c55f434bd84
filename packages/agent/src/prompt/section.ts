/** A part of the system prompt with its heading. */
export interface PromptPart {
  readonly name: string
  readonly lines: readonly string[]
}

export function sectionText({ name, lines }: PromptPart): string {
  return [`# ${name}`, ...lines].join('\n')
}
