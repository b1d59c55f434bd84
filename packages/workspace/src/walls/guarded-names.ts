/**
 * What other programs run later without asking anybody: editors, version control, package managers, CI, other agents.
 * Relative to the workspace. Those of git are found in its real folder (`git-folders.ts`).
 */
const guardedNames: readonly string[] = [
  '.loader',
  '.vscode',
  '.idea',
  '.fleet',
  '.zed',
  '.cursor',
  '.husky',
  '.lefthook.yml',
  'lefthook.yml',
  '.pre-commit-config.yaml',
  '.envrc',
  '.mise.toml',
  'mise.toml',
  '.devcontainer',
  '.devcontainer.json',
  '.claude',
  '.codex',
  '.gemini',
  '.mcp.json',
  '.npmrc',
  '.pnpmfile.cjs',
  '.yarnrc',
  '.yarnrc.yml',
  '.github/workflows',
  '.github/actions',
  '.gitea/workflows',
  '.forgejo/workflows',
  '.gitlab-ci.yml',
  '.circleci',
  '.buildkite',
  '.woodpecker',
  '.woodpecker.yml',
  '.drone.yml',
  '.travis.yml',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'Jenkinsfile',
]

export interface GuardSettings {
  /** Further guarded paths, relative to the workspace. */
  readonly guard?: readonly string[] | undefined
  /** Guarded paths that commands may change all the same. */
  readonly unguard?: readonly string[] | undefined
}

/** The guarded paths of a workspace, relative to it. Nothing takes `.loader` from the list. */
export function guardedPaths({ guard = [], unguard = [] }: GuardSettings): readonly string[] {
  const without = new Set(unguard.map(plain).filter((path) => path !== '.loader'))
  return [...new Set([...guardedNames, ...guard.map(plain)])].filter((path) => !without.has(path) && isBelow(path))
}

function plain(path: string): string {
  return path.replace(/^\.\//, '').replace(/\/+$/, '')
}

function isBelow(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..')
}
