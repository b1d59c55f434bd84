/**
 * What other programs run later without asking anybody: editors, version control, package managers, CI, other agents.
 * Relative to the workspace. Those of git are found in its real folder (`git-folders.ts`).
 */
const guardedNames: readonly string[] = [
  '.loader',
  // Editors.
  '.vscode',
  '*.code-workspace',
  '.idea',
  '.fleet',
  '.zed',
  '.helix',
  '.nvim',
  '.vs',
  '.externalToolBuilders',
  '.vimrc',
  '.exrc',
  '.nvimrc',
  '.nvim.lua',
  '.lazy.lua',
  '.lvimrc',
  '.dir-locals.el',
  '.dir-locals-2.el',
  '.devcontainer',
  '.devcontainer.json',
  // Hooks of version control.
  '.husky',
  '.pre-commit-config.yaml',
  ...['lefthook', '.lefthook', '.config/lefthook', 'lefthook-local', '.lefthook-local'].flatMap((name) =>
    ['yml', 'yaml', 'toml', 'json'].map((ending) => `${name}.${ending}`),
  ),
  // Settings of other version control than git, which name hooks, or the repository that is meant.
  '.hg/hgrc',
  '.hg/hgrc-not-shared',
  '.hg/sharedpath',
  '.sl/config',
  '.sl/sharedpath',
  '.jj/repo/config.toml',
  '_darcs/prefs/defaults',
  // Environments that a shell enters.
  '.envrc',
  'mise.toml',
  '.mise.toml',
  'mise.local.toml',
  '.mise.local.toml',
  '.mise',
  'mise/config.toml',
  'mise',
  '.config/mise',
  '.config/mise.toml',
  // A version can be a path to programs.
  '.tool-versions',
  // R runs it whenever it starts here.
  '.Rprofile',
  // Other agents.
  '.claude',
  '.codex',
  '.gemini',
  '.cursor',
  '.windsurf',
  '.continue',
  '.roo',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
  '.aider.conf.yml',
  '.amazonq',
  '.amp',
  '.crush.json',
  'crush.json',
  '.factory',
  '.junie',
  '.kilocode',
  '.kiro',
  '.openhands',
  '.qwen',
  '.trae',
  '.github/hooks',
  '.mcp.json',
  // Package managers, which all read these before they do anything.
  '.npmrc',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  '.yarnrc',
  '.yarnrc.yml',
  '.yarnrc.cjs',
  '.yarn/releases',
  '.yarn/plugins',
  '.yarn/sdks',
  'bunfig.toml',
  '.cargo/config',
  '.cargo/config.toml',
  '.mvn',
  // Continuous integration.
  '.github/workflows',
  '.github/actions',
  '.gitea/workflows',
  '.forgejo/workflows',
  '.gitlab-ci.yml',
  '.circleci',
  '.buildkite',
  '.woodpecker',
  '.woodpecker.yml',
  '.woodpecker.yaml',
  '.drone.yml',
  '.travis.yml',
  '.cirrus.yml',
  '.cirrus.star',
  '.appveyor.yml',
  'appveyor.yml',
  'azure-pipelines.yml',
  'azure-pipelines.yaml',
  'bitbucket-pipelines.yml',
  'Jenkinsfile',
]

export interface GuardSettings {
  /** Further guarded paths, relative to the workspace. */
  readonly guard?: readonly string[] | undefined
  /** Guarded paths that commands may change all the same. */
  readonly unguard?: readonly string[] | undefined
}

/** In a home, what begins with a dot is settings of programs. */
const inHome =
  '.bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zprofile .zshenv .zlogin .config .local .gitconfig .inputrc .xprofile .pam_environment .cargo .bin'.split(
    ' ',
  )

/** The guarded paths of a workspace, relative to it. Nothing takes `.loader` from the list. */
export function guardedPaths({ guard = [], unguard = [] }: GuardSettings, isHome: boolean): readonly string[] {
  const without = new Set(unguard.map(plain).filter((path) => path !== '.loader'))
  return [...new Set([...guardedNames, ...(isHome ? inHome : []), ...guard.map(plain)])].filter(
    (path) => !without.has(path) && isBelow(path),
  )
}

function plain(path: string): string {
  return path.replace(/^\.\//, '').replace(/\/+$/, '')
}

function isBelow(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..')
}

/** Whether a path relative to the workspace is one that a guarded path stands for, or lies in it. */
export function isMatched(guarded: string, path: string): boolean {
  if (!guarded.startsWith('*')) return path === guarded || path.startsWith(`${guarded}/`)
  return path.split('/', 1)[0]?.endsWith(guarded.slice(1)) === true
}
