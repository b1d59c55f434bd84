import type { Place } from '../shell/place.ts'
import { whereIs } from '../shell/place.ts'
import type { ShellWord } from '../shell/shell-word.ts'

/**
 * Why a program is sent beyond the workspace by what it is told: by a path that leads outside, or by the address of
 * another machine, into which any file that was read fits, or by one that others reach it at. Undefined where its words name none.
 */
export function outwardReason(words: readonly ShellWord[], place: Place): string | undefined {
  for (const word of words) {
    if (namesMachine(word.value)) return `${word.text} names another machine`
    if (/(?:^|=)(?:0\.0\.0\.0|\[::\])(?::\d+)?$/.test(word.value)) return `${word.text} lets other machines in`
    if (leadsOutside(word, place)) return `${word.text} leads outside the workspace`
  }
  return undefined
}

/** Whether a text, a program for instance, has the address of another machine in it. */
export function namesMachine(text: string): boolean {
  return (
    /^[\w.-]+@[\w-]+(?:\.[\w-]+)+:/.test(text) ||
    [...text.matchAll(/\b([a-z][a-z\d+.-]{0,19}):\/\/([^\s'"`<>)/?#]*)/gi)].some(
      ([, scheme = '', authority = '']) => scheme.toLowerCase() !== 'file' && !isThisMachine(authority),
    )
  )
}

/** The part of an address before the path; a backslash in it is read in more than one way. */
function isThisMachine(authority: string): boolean {
  if (authority.includes('\\')) return false
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?::(?:\d*|\$\{?\w+\}?))?$/i.test(host)
}

function leadsOutside(word: ShellWord, place: Place): boolean {
  const from = pathBegins(word.value)
  if (from === undefined) return false
  const path = { ...word, value: word.value.slice(from), start: word.start.slice(from) }
  if (path.kind !== 'open' && !/^(?:[/~]|(?:.*\/)?\.\.(?:\/|$))[\w@.+~/*?-]*$/.test(path.value)) return false
  return ['outside', 'system', 'device'].includes(whereIs(path, place))
}

/** Where the path begins that a word may be: behind the name of an option, or at once. A base is part of an address. */
function pathBegins(value: string): number | undefined {
  if (!value.startsWith('-')) return 0
  const attached = /^(?:--?(?!base)[a-zA-Z][\w-]*=|-[oCdf](?=[/~.]))/.exec(value)
  return attached?.[0].length
}
