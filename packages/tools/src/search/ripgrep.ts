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

/** With more output than this, waiting for the rest is not worth it: the first files are enough. */
const mostBytes = 8 * 1024 * 1024

/**
 * Files that may have a matching line, in the order of a walk. Every file with a match is included, except those that
 * ignore rules exclude. Undefined when ripgrep cannot be used; then all files are read.
 */
export async function candidatesByRipgrep(search: RipgrepSearch): Promise<readonly string[] | undefined> {
  const pattern = prefilterPattern(search.pattern)
  const ignoring = ignoreOptions(search)
  if (pattern === undefined || ignoring === undefined) return undefined
  const place = `./${search.place.relative}`
  const [found, ruled] = await Promise.all([
    pathsOf(search, [...ignoring, '--files-with-matches', '--regexp', pattern, '--', place]),
    // All `.gitignore` files that ripgrep applies: paths selected by `--glob` are listed even if a rule ignores them.
    search.scope.rules === undefined
      ? []
      : pathsOf(search, [...ignoring, '--files', '--glob', '.gitignore', '--', place]),
  ])
  const folders = ruled && [...ruled.map(folderOf), ...foldersAbove(search.place.relative)]
  const isPlain = folders?.every((folder) => search.scope.rules?.isPlainIn(folder) ?? true)
  return isPlain ? found?.sort(byFolder) : undefined
}

/** From where the search starts up to the workspace: ripgrep applies their rules as well, and lists none of them. */
function foldersAbove(start: string): readonly string[] {
  return start === '' ? [] : [folderOf(start), ...foldersAbove(folderOf(start))]
}

/** The paths that ripgrep lists; undefined when it was stopped or rejects the pattern. */
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

/** Whether a result can be used: exit code 2 means a rejected pattern, but also unreadable files beside found ones. */
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
    // Binary files are detected by our own reader, in the same way with and without ripgrep.
    '--text',
    '--encoding=none',
    '--hidden',
    '--no-messages',
    '--color=never',
    `--max-filesize=${mostFileBytes}`,
    ...never.flatMap((name) => ['--glob', `!**/${name}`]),
  ]
}

/**
 * Makes ripgrep apply only `.gitignore` files, from the repository down. Undefined where it would also apply others.
 */
function ignoreOptions({ scope: { rules }, place }: RipgrepSearch): readonly string[] | undefined {
  if (rules === undefined) return ['--no-ignore']
  const own = ['--no-ignore-global', '--no-ignore-exclude', '--no-ignore-dot', '--no-require-git']
  if (rules.coverParents) return own
  return place.relative === '' ? [...own, '--no-ignore-parent'] : undefined
}
