import { execFileSync } from 'node:child_process'

const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

/** Runs git without the configuration of this machine, and returns what it prints. */
export function plainGit(cwd: string, args: readonly string[], input = ''): string {
  const env = { ...process.env, ...identity, GIT_CONFIG_GLOBAL: '/dev/null' }
  return execFileSync('git', args, { cwd, env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] })
}
