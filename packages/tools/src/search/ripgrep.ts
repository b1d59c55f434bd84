import type { Signal } from '@loader/session-core'
import { byFolder, folderOf, runProgram, type ChildVariables } from '@loader/workspace'
import type { LinePattern } from './line-pattern.ts'
import { prefilterPattern } from './prefilter-pattern.ts'
import type { SearchPlace, Scope } from './search-place.ts'

export interface RipgrepSearch {
  readonly program: string
  readonly variables: ChildVariables
  /** Real path of the workspace. */
  readonly top: string
  readonly place: SearchPlace
  readonly scope: Scope
  readonly pattern: LinePattern
  readonly mostFileBytes: number
  readonly timeoutMs: number
  readonly signal?: Signal | undefined
}

/** More names than that are not worth waiting for: the first files will do. */
const mostBytes = 8 * 1024 * 1024

/**
 * Files that may have a matching line, in the order of a walk. All that have one are among them, apart from those that
 * ignore rules name. Undefined when ripgrep is of no help, and the files have to be read one by one.
 */
export async function candidatesByRipgrep(search: RipgrepSearch): Promise<readonly string[] | undefined> {
  const pattern = prefilterPattern(search.pattern)
  const ignoring = ignoreOptions(search)
  if (pattern === undefined || ignoring === undefined) return undefined
  const place = `./${search.place.relative}`
  const [found, ruled] = await Promise.all([
    pathsOf(search, [...ignoring, '--files-with-matches', '--regexp', pattern, '--', place]),
    // Every one that ripgrep heeds: what is named in this way is listed even where a rule ignores it.
    search.scope.rules === undefined
      ? []
      : pathsOf(search, [...ignoring, '--files', '--glob', '.gitignore', '--', place]),
  ])
  const isPlain = ruled?.every((path) => search.scope.rules?.isPlainIn(folderOf(path)))
  return isPlain ? found?.sort(byFolder) : undefined
}

/** What ripgrep lists; undefined when it was stopped or does not like the pattern. */
async function pathsOf(search: RipgrepSearch, options: readonly string[]): Promise<string[] | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const { ending } = await runProgram({
    ...search,
    arguments: [...alwaysOptions(search), ...options],
    cwd: search.top,
    onOutput: (chunk) => {
      chunks.push(chunk)
      bytes += chunk.length
      return bytes > mostBytes ? 'enough' : 'more'
    },
  })
  return ending.how === 'exited' && isConclusive(ending.exitCode, bytes) ? pathsIn(chunks) : undefined
}

/** It fails with 2 for a pattern that it refuses, but also when it found some and could not read others. */
function isConclusive(exitCode: number, bytes: number): boolean {
  return exitCode === 0 || exitCode === 1 || (exitCode === 2 && bytes > 0)
}

function pathsIn(chunks: readonly Uint8Array[]): string[] {
  return Buffer.concat(chunks)
    .toString('utf8')
    .split('\0')
    .map((path) => path.replace(/^\.\//, ''))
    .filter((path) => path !== '')
}

function alwaysOptions({ mostFileBytes, scope }: RipgrepSearch): string[] {
  const never = ['.git', '.loader', ...[...scope.skipped].map((name) => `${name}/`)]
  return [
    '--no-config',
    '--null',
    // Binary files are told by the reader, in one way for all.
    '--text',
    '--encoding=none',
    '--hidden',
    '--no-messages',
    '--color=never',
    `--max-filesize=${mostFileBytes}`,
    ...never.flatMap((name) => ['--glob', `!**/${name}`]),
  ]
}

/** Nothing but `.gitignore`, from the repository down. Undefined where ripgrep would heed files that do not count. */
function ignoreOptions({ scope: { rules }, place }: RipgrepSearch): readonly string[] | undefined {
  if (rules === undefined) return ['--no-ignore']
  const own = ['--no-ignore-global', '--no-ignore-exclude', '--no-ignore-dot', '--no-require-git']
  if (rules.coverParents) return own
  return place.relative === '' ? [...own, '--no-ignore-parent'] : undefined
}
