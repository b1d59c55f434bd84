import { isWithin } from '../paths/place.ts'

/** One thing that a command finds at a path. Later ones lie over earlier ones. */
export type Mount =
  | { readonly kind: 'readonly'; readonly path: string }
  | { readonly kind: 'writable'; readonly path: string }
  /** Read-only within what is writable. Without it nothing may start. */
  | { readonly kind: 'guarded'; readonly path: string }
  /** What lies elsewhere. */
  | { readonly kind: 'placed'; readonly path: string; readonly from: string; readonly access: 'readonly' | 'writable' }
  /** Read-only, through an overlay: no socket in it answers. It lies at `from`, which can be the path itself. */
  | { readonly kind: 'sealed'; readonly path: string; readonly from: string }
  /** An empty folder in memory, gone with the command. */
  | { readonly kind: 'empty'; readonly path: string }
  /** An empty file. */
  | { readonly kind: 'masked'; readonly path: string }
  /** A socket that refuses. */
  | { readonly kind: 'refusing'; readonly path: string }

/** What lies where something is hidden. */
export interface Stands {
  readonly emptyFile: string
  /** A socket that nobody listens to: an empty file in its place would be committed by `git add`. */
  readonly deadSocket: string
}

/** The path of this machine that is mounted. */
export function sourceOf(mount: Mount): string {
  return 'from' in mount ? mount.from : mount.path
}

/** What bubblewrap is told. What is let in and has gone since is passed over. */
export function mountArguments(mounts: readonly Mount[], stands: Stands): readonly string[] {
  return mounts.flatMap((mount) => {
    switch (mount.kind) {
      case 'readonly':
        return ['--ro-bind-try', mount.path, mount.path]
      case 'guarded':
        return ['--ro-bind', mount.path, mount.path]
      case 'writable':
        return ['--bind', mount.path, mount.path]
      case 'sealed':
        return ['--ro-bind', mount.from, mount.path]
      case 'placed':
        return [mount.access === 'writable' ? '--bind' : '--ro-bind', mount.from, mount.path]
      case 'empty':
        return ['--tmpfs', mount.path]
      case 'masked':
        return ['--ro-bind', stands.emptyFile, mount.path]
      case 'refusing':
        return ['--ro-bind', stands.deadSocket, mount.path]
      default:
        return mount satisfies never
    }
  })
}

/** What a command finds at a real path of this machine. */
export type Access =
  | {
      readonly kind: 'writable' | 'readonly'
      readonly real: string
      /** Where something else stands at the path: the file or folder of this machine that does, to which `real` leads. */
      readonly from?: string
    }
  | { readonly kind: 'hidden' }

/** What lies over a path. Undefined means the machine itself, read-only. */
export function lastOver(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.findLast((mount) => isWithin(mount.path, path))
}

/** Reads the same list as the kernel: the last mount at or above a path decides. */
export function accessUnder(mounts: readonly Mount[], path: string): Access {
  const last = lastOver(mounts, path)
  if (last === undefined) return { kind: 'readonly', real: path }
  switch (last.kind) {
    case 'readonly':
    case 'guarded':
    case 'sealed':
      return { kind: 'readonly', real: path }
    case 'writable':
      return { kind: 'writable', real: path }
    case 'placed':
      return { kind: last.access, real: last.from + path.slice(last.path.length), from: last.from }
    case 'empty':
    case 'masked':
    case 'refusing':
      return { kind: 'hidden' }
    default:
      return last satisfies never
  }
}
