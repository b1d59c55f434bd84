import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { namesIn, realOf, statsOf, targetOf, textOf } from './entries.ts'

/** Shared folders in which each tool has its own folder. */
const sharedFolders: readonly string[] = [
  '.local/share',
  '.local/state',
  '.config',
  '.cache',
  '.local',
  'Library/Application Support',
  'Library',
]

/** Further folders that a tool needs besides the one on the PATH. */
const companions: Readonly<Record<string, readonly string[]>> = {
  '.cargo': ['.rustup'],
  '.local/share/mise': ['.config/mise'],
  '.asdf': ['.tool-versions'],
}

/** Variables that name the folder of a toolchain. */
const toolVariables: readonly string[] =
  'RUSTUP_HOME CARGO_HOME PYENV_ROOT NVM_DIR VOLTA_HOME FNM_DIR GOROOT JAVA_HOME RBENV_ROOT GEM_HOME ANDROID_HOME ANDROID_SDK_ROOT DOTNET_ROOT FLUTTER_ROOT CONDA_PREFIX VIRTUAL_ENV SDKMAN_DIR ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR PNPM_HOME BUN_INSTALL DENO_INSTALL N_PREFIX COREPACK_HOME OPAMROOT'.split(
    ' ',
  )

/** The folders of tools in a home folder: those on the PATH, and the targets of variables and links. */
export function toolRoots(home: string, variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  const entries = (variables['PATH'] ?? '').split(':').filter(isAbsolute)
  const onPath = entries.flatMap((entry) => [entry, realOf(entry) ?? entry])
  const named = toolVariables.flatMap((name) => variables[name] ?? [])
  const linked = [...new Set(onPath)]
    .filter((entry) => isWithin(home, entry) || entry === '/usr/local/bin')
    .flatMap(linksOutOf)
  const roots = [...onPath, ...linked, process.execPath].flatMap((path) => rootOfTool(home, path))
  const all = [...roots, ...named.filter((path) => isWithin(home, path) && path !== home)]
  const more = all
    .map((root) => relative(home, root))
    .flatMap((path) => (Object.hasOwn(companions, path) ? (companions[path] ?? []) : []))
    .map((path) => join(home, path))
  return outermost([...all, ...more].filter((path) => statsOf(path) !== undefined))
}

/** The targets of links in a folder of programs. */
function linksOutOf(folder: string): readonly string[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name)
    return targetOf(path) === undefined ? [] : (realOf(path) ?? [])
  })
}

/** `~/.cargo` for `~/.cargo/bin`, `~/go` for `~/go/bin`, `~/.local/share/uv` for any path below it. */
function rootOfTool(home: string, path: string): readonly string[] {
  if (!isWithin(home, path) || path === home) return []
  const below = relative(home, path)
  const shared = sharedFolders.find((folder) => below === folder || below.startsWith(`${folder}/`))
  if (shared === '.local') return [join(home, '.local/bin'), join(home, '.local/lib')]
  const depth = shared === undefined ? 1 : shared.split('/').length + 1
  const names = below.split('/')
  if (names.length < depth) return []
  return [join(home, ...names.slice(0, depth))]
}

function outermost(paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths)]
  return all.filter((path) => !all.some((other) => other !== path && isWithin(other, path)))
}

/** Where git looks for settings of the user and of the system. */
export function userConfigurations(
  home: string,
  variables: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, XDG_CONFIG_HOME } = variables
  return [
    GIT_CONFIG_SYSTEM ?? '/etc/gitconfig',
    ...(GIT_CONFIG_GLOBAL !== undefined
      ? [GIT_CONFIG_GLOBAL]
      : [join(XDG_CONFIG_HOME ?? join(home, '.config'), 'git/config'), join(home, '.gitconfig')]),
  ].filter(isAbsolute)
}

/** The git configuration of the user, with what it includes. */
export function gitConfigurations(
  home: string,
  { GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME }: Readonly<Record<string, string | undefined>> = {},
): readonly string[] {
  const found: string[] = []
  const settings = XDG_CONFIG_HOME?.startsWith('/') === true ? XDG_CONFIG_HOME : join(home, '.config')
  const named = GIT_CONFIG_GLOBAL?.startsWith('/') === true ? [GIT_CONFIG_GLOBAL] : []
  const pending = [join(home, '.gitconfig'), join(settings, 'git/config'), ...named]
  for (let path = pending.pop(); path !== undefined && found.length < 20; path = pending.pop()) {
    const text = textOf(realOf(path) ?? path)
    if (text === undefined || found.includes(path)) continue
    found.push(path)
    const included = text.matchAll(/^\s*(?:path|excludesfile|attributesfile|allowedsignersfile)\s*=\s*"?(.+?)"?\s*$/gim)
    for (const [, value = ''] of included) pending.push(fromHome(home, value, dirname(path)))
  }
  const more = [
    ...['git/ignore', 'git/attributes'].map((path) => join(settings, path)),
    ...['.gitignore', '.gitignore_global'].map((path) => join(home, path)),
  ]
  return [...new Set([...found, ...more])].filter(
    (path) => statsOf(realOf(path) ?? path)?.isFile() === true && basename(path) !== '.git-credentials',
  )
}

/** Resolves a path that may begin with `~/`. */
export function fromHome(home: string, path: string, base: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(base, path)
}

const workspaceMarkers = ['pnpm-workspace.yaml', 'go.work', 'lerna.json', 'nx.json', 'turbo.json', 'rush.json']

/** The repository or workspace that a package belongs to; undefined when it stands alone. */
export function enclosingProject(root: string, repository: string | undefined, home: string): string | undefined {
  if (repository !== undefined) return repository === root || isWithin(repository, home) ? undefined : repository
  for (let folder = dirname(root); folder !== dirname(folder) && folder !== home; folder = dirname(folder)) {
    if (isWithin(folder, home)) return undefined
    if (workspaceMarkers.some((name) => statsOf(join(folder, name)) !== undefined)) return folder
    if (/"workspaces"\s*:/.test(textOf(join(folder, 'package.json')) ?? '')) return folder
    if (/^\[workspace\]/m.test(textOf(join(folder, 'Cargo.toml')) ?? '')) return folder
  }
  return undefined
}

/** Package caches in a home folder. They contain only public downloads. */
export const packageCaches: readonly string[] = [
  '.npm',
  '.cache/pip',
  '.cache/uv',
  '.cache/yarn',
  '.cache/pnpm',
  '.cache/node',
  '.cache/node-gyp',
  '.cache/go-build',
  '.cache/deno',
  '.cache/pre-commit',
  '.cache/ms-playwright',
  '.cache/Cypress',
  '.cargo/registry',
  '.cargo/git',
  'go/pkg',
  '.m2/repository',
  '.gradle/caches',
  '.gradle/wrapper',
  '.local/share/pnpm',
  '.bun/install/cache',
  '.nuget/packages',
  '.yarn/berry',
  '.pub-cache',
  '.composer/cache',
]
