import type { LeftOut } from '@loader/session-core/coding'
import { inOneLine } from './terminal-text.ts'

const shownNames = 3

/** What was left out, in words: `2 ignored (dist/, .env), 1 too large (video.mp4)`. */
export function leftOutText(leftOut: readonly LeftOut[]): string {
  return leftOut
    .map(({ kind, count, names }) => {
      const shown = names.slice(0, shownNames).map(inOneLine).join(', ')
      const more = count > shownNames && shown !== '' ? ', …' : ''
      return `${wordsFor(kind, count)}${shown === '' ? '' : ` (${shown}${more})`}`
    })
    .join(', ')
}

function wordsFor(kind: string, count: number): string {
  const [one, many = one] = (Object.hasOwn(words, kind) ? words[kind] : undefined) ?? [kind]
  return `${count} ${count === 1 ? one : many}`
}

/** For one, and for more where they are called otherwise. */
const words: Readonly<Record<string, readonly [string, string?]>> = {
  ignored: ['ignored'],
  large: ['too large'],
  too_large_to_carry: ['too large to carry'],
  nested: ['repository of its own', 'repositories of their own'],
  special: ['pipe, socket or device', 'pipes, sockets or devices'],
  unreadable: ['unreadable'],
  unstorable: ['with a name that git refuses', 'with names that git refuses'],
  unlisted: ['where git could not list what is tracked'],
  commits: ['commit or more that no remote has', 'commits that no remote has'],
  unfinished: ['begun in git and not ended'],
  around: ['repository around the project, without its files'],
}
