import type { SessionState, Turn } from '@loader/session-core'
import type { FileChange } from '@loader/session-core/coding'
import { changesOf, inProject } from './changed-files.ts'
import type { Proposal } from './proposal.ts'

const most = 3
const timeoutMs = 30_000

/** Commands that read a program without running it, by the ending of its file. */
const parsers: readonly (readonly [RegExp, (path: string) => string])[] = [
  [/\.py$/, (path) => `python3 -m py_compile ${path}`],
  [/\.[cm]?js$/, (path) => `node --check ${path}`],
  [/\.sh$/, (path) => `sh -n ${path}`],
]

/** The weakest checks, used if no others are known: each touched file is there (or is gone) and parses. */
export function checksOfPresence(state: SessionState, turn: Turn): readonly Proposal[] {
  return touched(state, turn)
    .slice(0, most)
    .flatMap(({ path, change }): Proposal[] => {
      const shown = { source: 'presence', timeoutMs } as const
      if (change === 'deleted') {
        return [{ ...shown, command: `test ! -e ${quotedPath(path)}`, text: `${path} is gone`, kind: 'existence' }]
      }
      const parser = parsers.find(([pattern]) => pattern.test(path))?.[1]
      return [
        { ...shown, command: `test -f ${quotedPath(path)}`, text: `${path} is there`, kind: 'existence' },
        ...(parser === undefined
          ? []
          : [{ ...shown, command: parser(quotedPath(path)), text: `${path} parses`, kind: 'syntax' as const }]),
      ]
    })
}

/** Files that differ from the beginning of the turn, then files that calls wrote outside of what was observed. */
function touched(state: SessionState, { work }: Turn): FileChange[] {
  const report = changesOf(state)
  const seen = report.known === 'all' ? report.changes : []
  const written = work.files.map((path) => inProject(state, path))
  const unseen = written.filter(
    (path) => !seen.some((change) => change.path === path) && isElsewhere(path, report.known),
  )
  return [...seen, ...unseen.map((path) => ({ path, change: 'modified' as const }))]
}

/** Whether a path lies where changes are not observed. A file of the project that does not differ is unchanged. */
function isElsewhere(path: string, known: 'all' | 'unknown'): boolean {
  return known === 'unknown' || /^(?:\/|[A-Za-z]:)/.test(path)
}

/** A path quoted as one shell word that no program can take for an option. */
export function quotedPath(path: string): string {
  const safe = path.startsWith('-') ? `./${path}` : path
  return /^[\w@%+=:,./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", String.raw`'\''`)}'`
}
