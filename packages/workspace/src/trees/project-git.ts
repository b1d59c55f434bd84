import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { SavedBase, SavedHead } from '@loader/session-core/coding'
import { harmlessVariables, repositoryAbove } from '../git/repository.ts'
import type { ChildVariables } from '../processes/child-variables.ts'
import { runProgram } from '../processes/run-program.ts'
import { splitAtNul } from './raw-path.ts'
import { commonFolder, type UserRules, versionOf } from './user-rules.ts'

/** The repository that the user has around the workspace. It is asked with git, and no program that it names is run. */
export interface ProjectGit {
  readonly root: string
  readonly git: string
  readonly variables: ChildVariables
  readonly rules: UserRules
}

/** Where the repository of a project stands. Git is asked again only when a file has changed that can say so. */
export class ProjectHead {
  #known: { readonly version: string; readonly head: SavedHead | undefined } | undefined

  /** Undefined without a repository, or where it has no commit. */
  async look(project: ProjectGit): Promise<SavedHead | undefined> {
    const version = headVersion(project, this.#known?.head?.branch)
    if (this.#known?.version === version) return this.#known.head
    const head = await headOf(project)
    this.#known = { version: headVersion(project, head?.branch), head }
    return head
  }
}

/** Git replaces each of these files whenever it changes one. */
function headVersion({ rules }: ProjectGit, branch: string | undefined): string {
  const { gitFolder } = rules
  if (gitFolder === undefined) return ''
  const common = commonFolder(gitFolder)
  const paths = [
    join(gitFolder, 'HEAD'),
    join(gitFolder, 'logs', 'HEAD'),
    join(common, 'packed-refs'),
    join(common, 'reftable', 'tables.list'),
    ...(branch === undefined ? [] : [join(common, 'refs', 'heads', branch)]),
  ]
  return paths.map((path) => `${versionOf(path)}`).join(' ')
}

async function headOf(project: ProjectGit): Promise<SavedHead | undefined> {
  if (project.rules.gitFolder === undefined) return undefined
  const [commit, branch] = await Promise.all([
    ask(project, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']),
    ask(project, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
  ])
  if (!commit.succeeded) return undefined
  return { commit: lineOf(commit.output), ...(branch.succeeded && { branch: textOf(lineOf(branch.output)) }) }
}

/** The nearest commit that a remote has, as far as is known here; undefined where there is none. */
export async function baseOf(project: ProjectGit, head: SavedHead | undefined): Promise<SavedBase | undefined> {
  if (head === undefined) return undefined
  const found = await remoteOf(project)
  if (found === undefined) return undefined
  const tips = await ask(project, [
    'for-each-ref',
    '--sort=-committerdate',
    `--count=${mostTips}`,
    '--format=%(objectname)',
    `refs/remotes/${found.name}/`,
  ])
  const commits = [...new Set(tips.output.split('\n').filter((line) => line !== ''))]
  if (commits.length === 0) return undefined
  const base = await ask(project, ['merge-base', head.commit, ...commits])
  if (!base.succeeded) return undefined
  return { commit: lineOf(base.output), remote: found.address }
}

/** What git has begun and not ended, by what it leaves in its folder meanwhile. */
const begun: readonly (readonly [name: string, file: string])[] = [
  ['merge', 'MERGE_HEAD'],
  ['rebase', 'rebase-merge'],
  ['rebase', 'rebase-apply'],
  ['cherry-pick', 'CHERRY_PICK_HEAD'],
  ['revert', 'REVERT_HEAD'],
  ['bisect', 'BISECT_LOG'],
]

/** The names of what git has begun and not ended: its files are there, and how far it is lies in the folder of git alone. */
export function unfinishedIn({ rules: { gitFolder } }: ProjectGit): readonly string[] {
  if (gitFolder === undefined) return []
  const there = begun.filter(([, file]) => existsSync(join(gitFolder, file)))
  return [...new Set(there.map(([name]) => name))]
}

/** Where the project lies in its repository; undefined at its top. */
export function folderIn({ rules }: ProjectGit): string | undefined {
  const folder = textOf(rules.prefix).replace(/\/$/, '')
  return folder === '' ? undefined : folder
}

/** The ids of everything in a commit: its folders and files. */
export async function objectsOf(project: ProjectGit, commit: string): Promise<ReadonlySet<string>> {
  const [top, all] = await Promise.all([
    ask(project, ['rev-parse', '--verify', '--quiet', `${commit}^{tree}`]),
    ask(project, ['ls-tree', '-r', '-t', '-z', '--full-tree', commit]),
  ])
  if (!top.succeeded || !all.succeeded) return new Set()
  const ids = splitAtNul(all.output).flatMap((line) => /^\d+ (?:tree|blob) ([0-9a-f]{40})\t/.exec(line)?.[1] ?? [])
  return new Set([lineOf(top.output), ...ids])
}

const mostHistoryBytes = 64 * 1024 ** 2

/** The commits up to `head` that are behind none of `since`, as a pack; undefined where there are too many. */
export async function packHistory(
  project: ProjectGit,
  head: string,
  since: readonly string[],
): Promise<Buffer | undefined> {
  const input = `${head}\n${since.map((commit) => `^${commit}\n`).join('')}`
  const packed = await ask(
    project,
    ['pack-objects', '-q', '--revs', '--thin', '--stdout', '--delta-base-offset'],
    input,
  )
  return packed.succeeded && packed.bytes.length <= mostHistoryBytes ? packed.bytes : undefined
}

/** How many commits are behind `head` and behind none of `since`. */
export async function countCommits(project: ProjectGit, head: string, since: readonly string[]): Promise<number> {
  const counted = await ask(project, ['rev-list', '--count', head, ...since.map((commit) => `^${commit}`), '--'])
  return counted.succeeded ? Number(lineOf(counted.output)) : 0
}

const mostTips = 2000

async function remoteOf(project: ProjectGit): Promise<{ readonly name: string; readonly address: string } | undefined> {
  const set = await ask(project, ['config', '-z', '--get-regexp', String.raw`^remote\..*\.url$`])
  const all = splitAtNul(set.output).flatMap((line) => {
    const [key = '', address = ''] = line.split('\n')
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1]
    const clean = remoteAddress(textOf(address), project.rules.top)
    return name === undefined || clean === undefined ? [] : [{ name: textOf(name), address: clean }]
  })
  return all.find(({ name }) => name === 'origin') ?? all[0]
}

/**
 * The address of a remote as another machine may use it: without user and password of a web address, and absolute.
 * Undefined for one that would make git run another program.
 */
function remoteAddress(address: string, top: string): string | undefined {
  if (address.startsWith('-') || /[\0\n]/.test(address)) return undefined
  if (/^[a-z][a-z0-9+.-]*::/i.test(address)) return undefined
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return webAddress(address)
  // user@host:path, as ssh has it.
  if (/^[^/:]+@?[^/:]*:(?!\/\/)/.test(address) && !/^[A-Za-z]:[\\/]/.test(address)) return address
  return resolve(top, address)
}

function webAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (!['http:', 'https:', 'ssh:', 'git:', 'file:'].includes(url.protocol)) return undefined
  url.password = ''
  if (url.protocol !== 'ssh:') url.username = ''
  url.hash = ''
  url.search = ''
  return url.href
}

async function ask({ root, git, variables }: ProjectGit, args: readonly string[], input?: string) {
  const chunks: Uint8Array[] = []
  const { ending } = await runProgram({
    program: git,
    arguments: args,
    cwd: root,
    variables: harmlessVariables(variables, repositoryAbove(root) ?? root),
    timeoutMs: 120_000,
    input: input === undefined ? undefined : Buffer.from(input),
    onOutput: (chunk) => {
      chunks.push(chunk)
      return 'more'
    },
  })
  const bytes = Buffer.concat(chunks)
  return { succeeded: ending.how === 'exited' && ending.exitCode === 0, bytes, output: bytes.toString('latin1') }
}

function lineOf(output: string): string {
  return output.trim()
}

/** What git printed byte by byte, as text. */
function textOf(latin: string): string {
  return Buffer.from(latin, 'latin1').toString('utf8')
}
