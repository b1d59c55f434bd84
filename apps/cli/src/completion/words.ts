import type { Command, CommandTable, Option } from '../arguments/command.ts'

/** The values that a shell can offer for an option. */
export type Values =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'folders' | 'files' | 'anything' }

export function valuesOf({ choices, value }: Option): Values | undefined {
  if (choices !== undefined) return { kind: 'choices', choices }
  if (value === undefined) return undefined
  if (value === 'folder') return { kind: 'folders' }
  return { kind: value === 'file' ? 'files' : 'anything' }
}

/** As typed: `--model`, `-m`. */
export function spellings({ name, short }: Option): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]
}

/** First words of commands of two that are no command themselves, with the second ones. */
export function groupsOf({ commands }: CommandTable): ReadonlyMap<string, readonly Command[]> {
  const groups = new Map<string, Command[]>()
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ')
    if (second !== undefined && !commands.some(({ name }) => name === first))
      groups.set(first, [...(groups.get(first) ?? []), command])
  }
  return groups
}

/** The values that a command takes besides options. */
export function completionWords({ positionals, name }: Command): Values | undefined {
  const [first] = positionals
  if (name === 'sessions') return { kind: 'choices', choices: ['copy'] }
  if (name === 'completion') return { kind: 'choices', choices: ['bash', 'zsh', 'fish'] }
  if (first?.name === 'permit') return { kind: 'choices', choices: ['allow', 'ask', 'deny'] }
  return first?.name === 'file' ? { kind: 'files' } : undefined
}

/** Quotes a text for any shell except fish. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
