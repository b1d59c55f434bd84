import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { hasSecretInGitConfig, rootOnly } from './credentials.ts'
import { namesIn, realOf, statsOf, textOf } from './entries.ts'
import type { GitFolders } from './git-folders.ts'
import { enclosingProject, fromHome, gitConfigurations, toolRoots } from './home.ts'
import type { Mount } from './mount.ts'
import { masksIn, namedMounts } from './named-paths.ts'
import type { CommandRights } from './command-rights.ts'
import type { SessionFolders } from './session-folders.ts'
import type { WallsPlace } from './walls.ts'

export interface WallsSurroundings {
  readonly place: WallsPlace
  readonly root: string
  readonly home: string
  readonly owner: CommandRights
  readonly git: GitFolders
  readonly folders: SessionFolders
}

/**
 * The mounts around the workspace, in order. Computed once per place: what it lets in rarely changes, and it hides
 * whole folders.
 */
export function surroundingMounts({ place, root, home, owner, git, folders }: WallsSurroundings): readonly Mount[] {
  const variables = place.variables ?? process.env
  const inHome = outermost([home, ...otherHomes(), ...settingsFolders(variables)]).filter(
    (path) => !isWithin(root, path),
  )
  const outer = enclosingProject(root, git.top, home)
  const tools = isWithin(root, home) ? [] : toolRoots(home, variables)
  const settings = place.settings ?? {}
  const named = (paths: readonly string[]) => paths.flatMap((path) => realOf(fromHome(home, path, '/')) ?? [])
  const readable = named(settings.readable ?? [])
  const writable = named(settings.writable ?? [])
  const around: readonly Mount[] = [
    ...hiddenFromRoot(owner),
    { kind: 'empty', path: '/run' },
    ...(realOf('/var/run') === '/run' ? [] : emptyWhereThere('/var/run')),
    { kind: 'placed', path: '/tmp', from: folders.tmp, access: 'writable' },
    ...(statsOf('/var/tmp')?.isDirectory() === true
      ? [{ kind: 'placed' as const, path: '/var/tmp', from: folders.varTmp, access: 'writable' as const }]
      : []),
    ...nameResolution(),
    ...inHome.map((path) => ({ kind: 'empty' as const, path })),
    ...tools.map((path) => ({ kind: 'readonly' as const, path })),
    ...(isWithin(root, home) ? [] : gitMounts(home, variables, folders)),
    ...(outer === undefined ? [] : [{ kind: 'readonly' as const, path: outer }]),
    ...readable.map((path) => ({ kind: 'readonly' as const, path })),
    ...[...tools, ...(outer === undefined ? [] : [outer])]
      .flatMap((path) => masksIn(path))
      .filter(({ path }) => !isWithin(root, path)),
  ]
  const isLetIn = ({ path }: Mount) => readable.includes(path)
  return [
    ...around,
    ...namedMounts(place, root, owner, around).filter((mount) => !isLetIn(mount)),
    ...writable.map((path) => ({ kind: 'writable' as const, path })),
  ]
}

/** The folders that variables name instead of `~/.config` and similar. */
function settingsFolders(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  return ['XDG_CONFIG_HOME', 'XDG_STATE_HOME']
    .flatMap((name) => variables[name] ?? [])
    .flatMap((path) => (path.startsWith('/') ? (realOf(path) ?? []) : []))
    .filter((path) => path !== '/')
}

/**
 * Mounts to hide after the workspace was mounted: private folders, and credentials if the workspace is a home folder.
 */
export function hiddenAfterwards({ place, root, home }: WallsSurroundings): readonly Mount[] {
  const ours = [place.session, place.caches, ...(place.hidden ?? [])].flatMap((path) => realOf(path) ?? [])
  const visible = outermost(ours).filter(
    (path) => !['/tmp', '/var/tmp', '/run'].some((each) => isWithin(each, path)) || isWithin(root, path),
  )
  // If the workspace is a home folder, programs keep private files in names that begin with a dot.
  const inHome = isWithin(root, home) ? masksIn(home, (path) => relative(home, path).startsWith('.')) : []
  return [
    ...inHome,
    ...visible
      .filter((path) => !isWithin(home, path) || isWithin(root, path) || root === home)
      .flatMap(emptyWhereThere),
  ]
}

function outermost(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter((path) => !paths.some((other) => other !== path && isWithin(other, path)))
}

/** Homes of other users, and of Windows under WSL. */
function otherHomes(): readonly string[] {
  const windows = namesIn('/mnt').map((name) => `/mnt/${name}/Users`)
  return ['/root', '/home', ...windows].filter((path) => namesIn(path).length > 0)
}

function emptyWhereThere(path: string): readonly Mount[] {
  return statsOf(path)?.isDirectory() === true ? [{ kind: 'empty', path }] : []
}

function hiddenFromRoot({ uid }: CommandRights): readonly Mount[] {
  if (uid !== 0) return []
  const { files, folders } = rootOnly()
  return [
    // Commands that run as root own these files, and could change the kernel through them without capabilities.
    ...['/proc/sys', '/proc/sysrq-trigger', '/proc/mtrr', '/proc/pressure']
      .filter((path) => statsOf(path) !== undefined)
      .map((path) => ({ kind: 'readonly' as const, path })),
    ...outermost(folders)
      .filter((path) => namesIn(path).length > 0)
      .map((path) => ({ kind: 'empty' as const, path })),
    ...files
      .filter((path) => !folders.some((each) => isWithin(each, path)))
      .map((path) => ({ kind: 'masked' as const, path })),
  ]
}

/** The resolver configuration, if it lies in a folder that is empty for commands. */
function nameResolution(): readonly Mount[] {
  const files = ['/etc/resolv.conf', '/etc/hosts'].flatMap((path) => realOf(path) ?? [])
  const programs = ['/run/current-system', '/run/opengl-driver', '/run/booted-system']
  return [
    ...files.filter((path) => path.startsWith('/run/')),
    ...programs.filter((path) => statsOf(path) !== undefined),
  ].map((path) => ({ kind: 'readonly', path }))
}

/** Mounts git configurations. One that contains a password is replaced by a copy without those lines. */
function gitMounts(
  home: string,
  variables: Readonly<Record<string, string | undefined>>,
  folders: SessionFolders,
): readonly Mount[] {
  return gitConfigurations(home, variables).map((path, index) => {
    const real = realOf(path) ?? path
    if (!hasSecretInGitConfig(real)) return { kind: 'placed', path, from: real, access: 'readonly' }
    const from = join(folders.made, `git-configuration-${index}`)
    const lines = (textOf(real) ?? '').split('\n')
    writeFileSync(
      from,
      lines.filter((line) => !/extraheader|\/\/[^/\s]*:[^/\s]*@|(password|token)\s*=/i.test(line)).join('\n'),
    )
    return { kind: 'placed', path, from, access: 'readonly' }
  })
}
