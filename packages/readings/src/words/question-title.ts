import { inOneLine } from './terminal-text.ts'

/** A question to the user, as far as the words above it depend on it. */
export interface TitledQuestion {
  readonly kind: 'permit' | 'question'
  /** Whether a plan is to be carried out. */
  readonly isPlan: boolean
  /** The few words that a question came with; of a permission, the title of the tool. */
  readonly title?: string | null | undefined
  /** The tool that a permission is about. */
  readonly tool?: string | null | undefined
}

/** A question in a line: the same words wherever it can be answered. */
export function questionTitle({ kind, isPlan, title, tool }: TitledQuestion): string {
  if (isPlan) return 'Carry out this plan? Nothing has changed yet'
  if (kind === 'question') return inOneLine(title ?? 'A question')
  const name = inOneLine(tool ?? 'this')
  return title == null ? `May ${name} do this?` : `${inOneLine(title)}? (${name})`
}
