import { spawnSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { harmlessVariables } from '../git/repository.ts'
import { childVariables } from '../processes/child-variables.ts'
import { programOnPath } from '../processes/program-on-path.ts'
import type { EnvironmentVariables } from './state-folder.ts'

/** Long enough for a hundred thousand commits, and short enough for a start that waits for it. */
const patienceMs = 3_000

/**
 * The first commit of a repository, which clones and moved copies share. Undefined without a repository in this very
 * folder (worktrees and submodules belong to another one), without a commit, or when git fails.
 */
export function firstCommitOf(root: string, environment: EnvironmentVariables): string | undefined {
  if (lstatSync(join(root, '.git'), { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
  const variables = childVariables({ variables: environment })
  const git = programOnPath('git', variables, root)
  if (git === undefined) return undefined
  // Along first parents: a history merged in later may begin earlier.
  const { status, stdout } = spawnSync(git, ['rev-list', '--max-parents=0', '--first-parent', 'HEAD'], {
    cwd: root,
    env: { ...harmlessVariables(variables, root), GIT_NO_REPLACE_OBJECTS: '1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patienceMs,
    windowsHide: true,
  })
  const commit = status === 0 ? stdout.trim() : ''
  return /^[\da-f]{40,64}$/.test(commit) ? commit : undefined
}
