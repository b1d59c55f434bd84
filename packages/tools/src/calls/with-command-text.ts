import type { JsonObject } from '@loader/session-core'
import { isList } from './is-list.ts'

/** `["bash", "-lc", "ls"]` is how some models call a shell. */
export function withCommandText(input: JsonObject): JsonObject {
  const { command } = input
  if (!isList(command)) return input
  const words = command.filter((word) => typeof word === 'string')
  const [shell, option, script, ...rest] = words
  const isShell = /^(.*\/)?(ba|z|da)?sh$/.test(shell ?? '') && /^-l?c$/.test(option ?? '')
  if (isShell && script !== undefined && rest.length === 0) return { ...input, command: script }
  return words.length === command.length ? { ...input, command: words.map(quoted).join(' ') } : input
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
