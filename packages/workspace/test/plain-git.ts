import { execFileSync } from 'node:child_process'

const settings = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  // No commit starts another program that looks for something to tidy up.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
}

const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

/** Runs git without the configuration of this machine, and returns what it prints. */
export function plainGit(cwd: string, args: readonly string[], input = ''): string {
  const env = { ...process.env, ...identity, ...settings }
  return execFileSync('git', args, { cwd, env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] })
}
