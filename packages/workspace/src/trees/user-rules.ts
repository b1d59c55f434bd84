import { lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { LoaderError } from '@loader/session-core'
import { harmlessVariables, repositoryAbove } from '../git/repository.ts'
import { openFolder } from '../paths/folder.ts'
import { codeOf } from '../paths/system-errors.ts'
import type { ChildVariables } from '../processes/child-variables.ts'
import { runProgram } from '../processes/run-program.ts'
import { installedFolders } from '../walk/names.ts'
import { readHeld } from '../walk/read-held.ts'
import { versionKey } from './private-index.ts'
import { splitAtNul } from './raw-path.ts'

/**
 * The user's ignore rules and tracked files. Read as text and through git; no object of the user's repository is read.
 */
export interface UserRules {
  /**
   * The folder that `.gitignore` files are relative to: the repository around the workspace, or the workspace itself.
   */
  readonly top: string
  /** The path from there to the workspace: empty, or with a slash at the end. One character per byte. */
  readonly prefix: string
  /** The git folder of the user's repository; undefined without one. */
  readonly gitFolder: string | undefined
  /** Further files with ignore rules besides `.gitignore`; later ones take precedence. */
  readonly ruleFiles: readonly string[]
}

interface Asking {
  readonly root: string
  readonly git: string
  readonly variables: ChildVariables
}

export async function findUserRules(asking: Asking): Promise<UserRules> {
  const { root } = asking
  const global = await globalRules(asking)
  const repository = repositoryAbove(root)
  // A workspace inside of an ignored folder is still a place to work in.
  const isOwn = repository === root
  const ignored =
    repository !== undefined && !isOwn && (await ask(asking, ['check-ignore', '-q', '--no-index', '.'])).code === 0
  if (repository === undefined || ignored) return { top: root, prefix: '', gitFolder: undefined, ruleFiles: [global] }
  const gitFolder = realGitFolder(repository)
  const way = relative(repository, root).split(sep).join('/')
  return {
    top: repository,
    prefix: way === '' ? '' : `${Buffer.from(way).toString('latin1')}/`,
    gitFolder,
    ruleFiles: [global, join(commonFolder(gitFolder), 'info', 'exclude')],
  }
}

const mostRuleBytes = 1024 * 1024

/** The rules of these files in one text. Without a repository, rules that ignore installed folders are added. */
export function readRules({ gitFolder, ruleFiles }: UserRules): string {
  const installed = gitFolder === undefined ? [...installedFolders].map((name) => `${name}/\n`) : []
  return [...installed, ...ruleFiles.map((file) => `${readText(file) ?? ''}\n`)].join('')
}

/**
 * Files that the user tracks although a rule ignores them, relative to the top. Undefined when the list has not changed
 * since the version `seen`.
 */
export async function trackedAndIgnored(
  asking: Asking,
  rules: UserRules,
  seen: string | undefined,
): Promise<
  | { readonly kind: 'same' }
  | { readonly kind: 'listed'; readonly version: string; readonly paths: readonly string[] }
  | { readonly kind: 'unknown'; readonly why: string }
> {
  const version = rules.gitFolder === undefined ? undefined : versionOf(join(rules.gitFolder, 'index'))
  if (version === seen || version === undefined) return { kind: 'same' }
  const { code, output, errors } = await ask(asking, [
    'ls-files',
    '-z',
    '--full-name',
    '-s',
    '-i',
    '-c',
    '--exclude-standard',
  ])
  if (code !== 0) return { kind: 'unknown', why: errors.trim().split('\n')[0] || 'git gave no reason' }
  const paths = splitAtNul(output).flatMap((line) => {
    const [entry, path] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]
    // A submodule is not a file.
    return entry.startsWith('160000') ? [] : [path]
  })
  return { kind: 'listed', version, paths }
}

async function globalRules(asking: Asking): Promise<string> {
  const { code, output } = await ask(asking, ['config', '--path', '-z', '--get', 'core.excludesFile'])
  const home = asking.variables['HOME'] ?? asking.variables['USERPROFILE'] ?? ''
  const folder = asking.variables['XDG_CONFIG_HOME'] || join(home, '.config')
  const set = splitAtNul(output)[0]
  return code === 0 && set ? resolve(asking.root, Buffer.from(set, 'latin1').toString()) : join(folder, 'git', 'ignore')
}

/** Runs git in the user's repository; it reads only settings and the list of tracked files. */
async function ask({ root, git, variables }: Asking, args: readonly string[]) {
  const chunks: Uint8Array[] = []
  const repository = repositoryAbove(root)
  const { ending, errors } = await runProgram({
    program: git,
    arguments: args,
    cwd: root,
    variables:
      repository === undefined
        ? { ...variables, GIT_CEILING_DIRECTORIES: dirname(root) }
        : harmlessVariables(variables, repository),
    timeoutMs: 20_000,
    onOutput: (chunk) => {
      chunks.push(chunk)
      return 'more'
    },
  })
  const code = ending.how === 'exited' ? ending.exitCode : undefined
  return { code, output: Buffer.concat(chunks).toString('latin1'), errors: errors || ending.how }
}

/** The `.git` of a worktree or a submodule is a file that names the real folder. */
function realGitFolder(repository: string): string {
  const path = join(repository, '.git')
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return path
  const named = /^gitdir: (.+)$/m.exec(readText(path) ?? '')?.[1]
  return named === undefined ? path : resolve(repository, named)
}

export function commonFolder(gitFolder: string): string {
  const named = readText(join(gitFolder, 'commondir'))?.trim()
  return named ? resolve(gitFolder, named) : gitFolder
}

function readText(path: string): string | undefined {
  try {
    // Settings files are often links into a folder of dotfiles.
    const real = realpathSync(path)
    using folder = openFolder(dirname(real))
    const bytes = readHeld(folder, basename(real), mostRuleBytes)
    return bytes && Buffer.from(bytes).toString('latin1')
  } catch (error) {
    if (LoaderError.is(error) || codeOf(error) !== undefined) return undefined
    throw error
  }
}

export function versionOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && versionKey(stats)
}
