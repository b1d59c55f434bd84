import { isWithin } from '../paths/place.ts'

/** One mount of a command. Later mounts cover earlier ones. */
export type Mount =
  | { readonly kind: 'readonly'; readonly path: string }
  | { readonly kind: 'writable'; readonly path: string }
  /** Read-only inside of a writable folder. The command must not start without it. */
  | { readonly kind: 'guarded'; readonly path: string }
  /** A path of this machine shown at another path. */
  | { readonly kind: 'placed'; readonly path: string; readonly from: string; readonly access: 'readonly' | 'writable' }
  /**
   * Read-only, through an overlay, so that sockets in it do not answer. `from` is the source; it can be the path
   * itself.
   */
  | { readonly kind: 'sealed'; readonly path: string; readonly from: string }
  /** An empty folder in memory, gone with the command. */
  | { readonly kind: 'empty'; readonly path: string }
  /** An empty file. */
  | { readonly kind: 'masked'; readonly path: string }
  /** A socket that refuses connections. */
  | { readonly kind: 'refusing'; readonly path: string }

/** The entries that are shown in place of hidden ones. */
export interface Stands {
  readonly emptyFile: string
  /** A socket without a listener: an empty file in its place would be committed by `git add`. */
  readonly deadSocket: string
}

/** The path of this machine that is mounted. */
export function sourceOf(mount: Mount): string {
  return 'from' in mount ? mount.from : mount.path
}

/** The bubblewrap arguments. A path to let in that no longer exists is left out. */
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
      /** If another entry is mounted at the path: the mounted file or folder of this machine, to which `real` leads. */
      readonly from?: string
    }
  | { readonly kind: 'hidden' }

/** The uppermost mount at a path. Undefined means the machine itself, read-only. */
export function lastOver(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.findLast((mount) => isWithin(mount.path, path))
}

/** Decides as the kernel does: by the last mount at or above a path. */
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
