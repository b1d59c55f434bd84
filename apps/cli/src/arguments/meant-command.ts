import type { Command } from './command.ts'
import { closest } from './closest.ts'

/** Words that other agents have as commands, and how the same is said here. */
const elsewhere: Readonly<Record<string, string>> = {
  continue: '-c',
  exec: '-p "what to do"',
  history: 'sessions',
  list: 'sessions',
  log: 'timeline',
  logs: 'timeline',
  ls: 'sessions',
  resume: '-r',
  session: 'sessions',
  settings: 'config',
}

const mostWords = 2
const shortestMisspelt = 4

/**
 * What a first word that is no command most likely stands for. One or two bare words that begin like a command are taken
 * for one; longer texts are tasks.
 */
export function meantCommand(words: readonly string[], commands: readonly Command[]): string | undefined {
  const [first = ''] = words
  const plain = words.filter((word) => !word.startsWith('-'))
  if (plain.length > mostWords || !/^[a-z-]+$/i.test(first)) return undefined
  const said = elsewhere[first.toLowerCase()]
  if (said !== undefined) return `loader ${said}`
  if (first.length < shortestMisspelt) return undefined
  const names = [...new Set(commands.map(({ name }) => name.split(' ', 1).join('')))]
  const near = closest(first, names)
  return near === undefined || !isMisspelt(first, near) ? undefined : `loader ${near}`
}

/** The same letters but for one, or but for two in a long word: `test` and `fixes` are tasks. */
function isMisspelt(word: string, name: string): boolean {
  const [one, other] = [word.toLowerCase(), name.toLowerCase()]
  if (one[0] !== other[0] && one.at(-1) !== other.at(-1)) return false
  const most = Math.max(one.length, other.length) >= 6 ? 2 : 1
  return lettersApart(one, other) <= most
}

/** The letters that only one of two words has, or has oftener. */
function lettersApart(one: string, other: string): number {
  const left = Array.from(other)
  const missing = Array.from(one).filter((letter) => {
    const at = left.indexOf(letter)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return Math.max(missing.length, left.length)
}
