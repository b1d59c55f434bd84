import { execFileSync } from 'node:child_process'

/** Git without the configuration of this machine. */
export function plainGit(cwd: string, args: readonly string[]): string {
  const identity = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  const env = { ...process.env, ...identity, GIT_CONFIG_GLOBAL: '/dev/null' }
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
