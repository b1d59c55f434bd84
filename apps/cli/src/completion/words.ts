import { providerNames } from '@loader/backends'
import { topics } from '../arguments/topics.ts'
import type { Command, CommandTable, Option } from '../arguments/command.ts'

/** The values that a shell can offer for an option. */
export type Values =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  /** Sessions and models are asked for when they are wanted: `loader completion sessions`. */
  | { readonly kind: 'folders' | 'files' | 'sessions' | 'models' | 'anything' }

export function valuesOf({ choices, value }: Option): Values | undefined {
  if (choices !== undefined) return { kind: 'choices', choices }
  if (value === undefined) return undefined
  if (value === 'folder') return { kind: 'folders' }
  if (value === 'session') return { kind: 'sessions' }
  if (value === 'provider/id') return { kind: 'models' }
  return { kind: value === 'file' ? 'files' : 'anything' }
}

/** Whether a word behind the option is offered as its value. One that can be omitted takes a session, and nothing else. */
export function takesWord(option: Option): boolean {
  const values = valuesOf(option)
  return values !== undefined && (option.optional !== true || values.kind === 'sessions')
}

/** As typed: `--model`, `-m`. */
export function spellings({ name, short }: Option): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]
}

/** First words of commands of two, with the second ones. Some of them are commands themselves. */
export function groupsOf({ commands }: CommandTable): ReadonlyMap<string, readonly Command[]> {
  const groups = new Map<string, Command[]>()
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ')
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), command])
  }
  return groups
}

/** The values that a command takes besides options. */
export function completionWords({ positionals, name }: Command): Values | undefined {
  const [first] = positionals
  if (name === 'help') return { kind: 'choices', choices: Object.keys(topics) }
  if (name === 'completion') return { kind: 'choices', choices: ['bash', 'zsh', 'fish'] }
  if (first?.name === 'provider') return { kind: 'choices', choices: providerNames }
  if (first?.name === 'permission') return { kind: 'choices', choices: ['allow', 'ask', 'deny'] }
  if (positionals.some((one) => one.name === 'session')) return { kind: 'sessions' }
  return first?.name === 'file' ? { kind: 'files' } : undefined
}

/** Quotes a text for any shell except fish. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
