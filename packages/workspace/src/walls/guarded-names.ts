/**
 * Files that other programs run later without asking: editors, version control, package managers, CI, other agents.
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
  // Settings of other version control systems, which name hooks or another repository.
  '.hg/hgrc',
  '.hg/hgrc-not-shared',
  '.hg/sharedpath',
  '.sl/config',
  '.sl/sharedpath',
  '.jj/repo/config.toml',
  '_darcs/prefs/defaults',
  // Files that a shell or environment manager loads when it enters the folder.
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
  // A version can be a path to a program.
  '.tool-versions',
  // Interpreters run these, or what they name, whenever they start here.
  '.Rprofile',
  '.Renviron',
  '.irbrc',
  '.pryrc',
  '.ghci',
  '.ocamlinit',
  '.octaverc',
  // Skills of all agents: they name what is allowed while they are used.
  '.agents',
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
  // Settings that package managers read first.
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
  /** Additional guarded paths, relative to the workspace. */
  readonly guard?: readonly string[] | undefined
  /** Guarded paths that commands may change nevertheless. */
  readonly unguard?: readonly string[] | undefined
}

/** In a home folder, every name that begins with a dot is guarded: it holds settings of programs. */
const inHome =
  '.bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zprofile .zshenv .zlogin .config .local .gitconfig .inputrc .xprofile .pam_environment .cargo .bin'.split(
    ' ',
  )

/** The guarded paths of a workspace, relative to it. `.loader` cannot be unguarded. */
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

/** Whether a path relative to the workspace matches a guarded path, or lies in one that does. */
export function isMatched(guarded: string, path: string): boolean {
  if (!guarded.startsWith('*')) return path === guarded || path.startsWith(`${guarded}/`)
  return path.split('/', 1)[0]?.endsWith(guarded.slice(1)) === true
}
