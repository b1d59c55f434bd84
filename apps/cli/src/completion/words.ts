import type { Command, CommandTable, Option } from '../arguments/command.ts'

/** What a shell can offer behind an option. */
export type Values =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'folders' | 'files' | 'anything' }

export function valuesOf({ choices, value }: Option): Values | undefined {
  if (choices !== undefined) return { kind: 'choices', choices }
  if (value === undefined) return undefined
  if (value === 'folder') return { kind: 'folders' }
  return { kind: value === 'file' ? 'files' : 'anything' }
}

/** As they are written: `--model`, `-m`. */
export function spellings({ name, short }: Option): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]
}

/** First words of commands of two, with the second ones. */
export function groupsOf({ commands }: CommandTable): ReadonlyMap<string, readonly Command[]> {
  const groups = new Map<string, Command[]>()
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ')
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), command])
  }
  return groups
}

/** What a command takes besides options. */
export function completionWords({ positionals, name }: Command): Values | undefined {
  const [first] = positionals
  if (name === 'completion') return { kind: 'choices', choices: ['bash', 'zsh', 'fish'] }
  if (first?.name === 'permit') return { kind: 'choices', choices: ['allow', 'ask', 'deny'] }
  return first?.name === 'file' ? { kind: 'files' } : undefined
}

/** In single quotes, for any shell but fish. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
