import type { LeftOut } from '@loader/session-core/coding'
import { inOneLine } from './terminal-text.ts'

const shownNames = 3

/** What was left out, in words: `2 ignored (dist/, .env), 1 too large (video.mp4)`. */
export function leftOutText(leftOut: readonly LeftOut[]): string {
  return leftOut
    .map(({ kind, count, names }) => {
      const shown = names.slice(0, shownNames).map(inOneLine).join(', ')
      const more = count > shownNames && shown !== '' ? ', …' : ''
      return `${count} ${Object.hasOwn(words, kind) ? words[kind] : kind}${shown === '' ? '' : ` (${shown}${more})`}`
    })
    .join(', ')
}

const words: Readonly<Record<string, string>> = {
  ignored: 'ignored',
  large: 'too large',
  too_large_to_carry: 'too large to carry',
  nested: 'repositories of their own',
  special: 'pipes, sockets or devices',
  unreadable: 'unreadable',
  unstorable: 'with names that git refuses',
  unlisted: 'where git could not list what is tracked',
  commits: 'commits that no remote has',
  unfinished: 'begun in git and not ended',
  around: 'repository around the project, without its files',
}
