import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LoaderError, type Signal } from '@loader/session-core'
import type { SavedHead } from '@loader/session-core/coding'
import { runProgram } from '../processes/run-program.ts'
import { plainAttributes } from '../trees/side-repository.ts'

/** The git that makes a repository for the user. It may ask remotes, as the user's own git would. */
export interface OwnGit {
  readonly git: string
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly signal?: Signal | undefined
}

interface GitCall {
  readonly folder: string
  readonly arguments: readonly string[]
  readonly input?: Uint8Array
  readonly timeoutMs?: number
}

/** A clone may take long; it ends with the signal. */
const cloneMs = 3_600_000

/** Runs git without hooks, without prompts, and with the usual protocols alone. */
async function ownGit({ git, variables, signal }: OwnGit, call: GitCall) {
  const chunks: Uint8Array[] = []
  const given = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined || /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/.test(name)
      ? []
      : [[name, value] as const],
  )
  const { ending, errors } = await runProgram({
    program: git,
    arguments: ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...call.arguments],
    cwd: call.folder,
    variables: {
      ...Object.fromEntries(given),
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_ADVICE: '0',
    },
    timeoutMs: call.timeoutMs ?? 600_000,
    signal,
    input: call.input,
    onOutput: (chunk) => {
      chunks.push(chunk)
      return 'more'
    },
  })
  signal?.throwIfAborted()
  const succeeded = ending.how === 'exited' && ending.exitCode === 0
  const why = causeIn(errors)
  return { succeeded, bytes: Buffer.concat(chunks), why: why === '' ? ending.how : why }
}

/** The first error line of git: the last lines are general advice about remotes. */
function causeIn(errors: string): string {
  const lines = errors.trim().split('\n')
  const cause = lines.find((line) => /^(?:fatal|error|ssh|remote): /.test(line)) ?? lines.at(-1) ?? ''
  return cause.replace(/\.$/, '')
}

async function requireGit(git: OwnGit, call: GitCall, what: string): Promise<Buffer> {
  const { succeeded, bytes, why } = await ownGit(git, call)
  if (succeeded) return bytes
  throw new LoaderError('workspace_differs', `${what}: ${why}. Nothing was run.`)
}

/** Clones a project into an empty folder, with the files of one commit as git stores them: byte for byte, no filter run. */
export async function cloneProject(
  git: OwnGit,
  folder: string,
  { remote, commit }: { readonly remote: string; readonly commit: string },
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const clone = ['clone', '--quiet', '--no-checkout', '--filter=blob:none', '--template=', '--', remote, '.']
  await requireGit(git, { folder, arguments: clone, timeoutMs: cloneMs }, `The project cannot be cloned from ${remote}`)
  await ensureCommit(git, folder, commit)
  await withPlainFiles(folder, async () => {
    const checkout = ['checkout', '--quiet', '--force', '--detach', commit]
    await requireGit(git, { folder, arguments: checkout, timeoutMs: cloneMs }, `Commit ${commit} cannot be checked out`)
  })
}

/** Asks the remote for a commit that no branch leads to any more. */
async function ensureCommit(git: OwnGit, folder: string, commit: string): Promise<void> {
  if (await hasCommit(git, folder, commit)) return
  const fetch = ['fetch', '--quiet', '--filter=blob:none', 'origin', commit]
  await requireGit(
    git,
    { folder, arguments: fetch, timeoutMs: cloneMs },
    `The remote of the project does not have commit ${commit}, on which the stored files build`,
  )
}

export async function hasCommit(git: OwnGit, folder: string, commit: string): Promise<boolean> {
  return (await ownGit(git, { folder, arguments: ['cat-file', '-e', `${commit}^{commit}`] })).succeeded
}

/** Everything in a commit, as a pack. */
export async function packOfCommit(git: OwnGit, folder: string, commit: string): Promise<Uint8Array> {
  const pack = ['pack-objects', '-q', '--revs', '--stdout']
  const input = Buffer.from(`${commit}^{tree}\n`)
  return await requireGit(git, { folder, arguments: pack, input }, `Commit ${commit} cannot be read`)
}

/** Files are written as git stores them, without conversions, and no program that attributes name is run. */
async function withPlainFiles(folder: string, work: () => Promise<void>): Promise<void> {
  const attributes = join(folder, '.git', 'info', 'attributes')
  mkdirSync(join(folder, '.git', 'info'), { recursive: true })
  writeFileSync(attributes, plainAttributes)
  try {
    await work()
  } finally {
    rmSync(attributes, { force: true })
  }
}

/** Makes a repository without a remote, for a project that had one. */
export async function makeRepository(git: OwnGit, folder: string): Promise<void> {
  if (existsSync(join(folder, '.git'))) return
  await requireGit(git, { folder, arguments: ['init', '--quiet', '--template='] }, 'No repository can be made')
}

/** Unpacks commits of the project; false if the commits that they build on are missing here. */
export async function takeHistoryIn(git: OwnGit, folder: string, pack: Uint8Array): Promise<boolean> {
  const indexed = await ownGit(git, { folder, arguments: ['index-pack', '--stdin', '--fix-thin'], input: pack })
  return indexed.succeeded
}

/**
 * Moves the branch of a new repository to its recorded commit, and resets the index to it. Files are left alone. False if
 * the commit is missing.
 */
export async function moveHead(git: OwnGit, folder: string, { commit, branch }: SavedHead): Promise<boolean> {
  const run = async (...words: string[]) => (await ownGit(git, { folder, arguments: words })).succeeded
  if (!(await hasCommit(git, folder, commit))) return false
  const isMoved =
    branch === undefined || !(await run('check-ref-format', '--branch', branch))
      ? await run('update-ref', '--no-deref', 'HEAD', commit)
      : (await run('update-ref', `refs/heads/${branch}`, commit)) &&
        (await run('symbolic-ref', 'HEAD', `refs/heads/${branch}`))
  if (!isMoved || !(await run('reset', '--quiet'))) return false
  if (branch !== undefined) await run('branch', '--quiet', `--set-upstream-to=origin/${branch}`)
  return true
}

/**
 * Writes the files of the branch that lie outside of the project, in a new repository: without them, git would report each
 * as deleted, and the next commit would delete them. False if some are missing.
 */
export async function fillAround(git: OwnGit, folder: string, project: string): Promise<boolean> {
  let isFilled = false
  await withPlainFiles(folder, async () => {
    const outside = ['--', `:(top)`, `:(top,literal,exclude)${project}`]
    const listed = await ownGit(git, { folder, arguments: ['ls-files', '-z', ...outside] })
    const isAlone = listed.succeeded && listed.bytes.length === 0
    isFilled =
      isAlone || (await ownGit(git, { folder, arguments: ['checkout', '--quiet', 'HEAD', ...outside] })).succeeded
  })
  return isFilled
}

/** Moves the checked-out branch forward to its recorded commit. It is not moved if that is no fast-forward. */
export async function moveHeadOn(git: OwnGit, folder: string, { commit, branch }: SavedHead): Promise<boolean> {
  const line = async (...words: string[]) => {
    const { succeeded, bytes } = await ownGit(git, { folder, arguments: words })
    return succeeded ? bytes.toString('utf8').trim() : undefined
  }
  const now = await line('rev-parse', '--verify', '--quiet', 'HEAD')
  if (now === commit) return true
  const here = await line('symbolic-ref', '--quiet', '--short', 'HEAD')
  const isBehind = now !== undefined && (await line('merge-base', '--is-ancestor', now, commit)) !== undefined
  if (here !== branch || !isBehind) return false
  return (await line('update-ref', 'HEAD', commit, now)) !== undefined && (await line('reset', '--quiet')) !== undefined
}

/** Whether git has every file of the folder: nothing would be lost. */
export async function isClean(git: OwnGit, folder: string): Promise<boolean> {
  const status = ['status', '--porcelain', '-z', '--untracked-files=all', '--ignore-submodules=none']
  const { succeeded, bytes } = await ownGit(git, { folder, arguments: status })
  return succeeded && bytes.length === 0
}
