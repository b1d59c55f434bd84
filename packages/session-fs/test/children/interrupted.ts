import type { FileSystem } from '@loader/session-fs'

/** A call that changes a disk, or makes sure of it. */
export interface Call {
  readonly name: string
  readonly paths: readonly string[]
}

/** The file system, where `before` is asked to wait before every call that matters to others. */
export function interrupted(fileSystem: FileSystem, before: (call: Call) => void): FileSystem {
  const paths = new Map<number, string>()
  return new Proxy(fileSystem, {
    get(target, key: keyof FileSystem) {
      const original = target[key] as (...args: readonly unknown[]) => unknown
      if (key === 'closeSync' || key === 'statSync' || key === 'readFileSync' || key === 'readdirSync') return original
      return (...args: readonly unknown[]) => {
        const named = args.filter((arg): arg is string => typeof arg === 'string' && arg.includes('/'))
        const known = typeof args[0] === 'number' ? [paths.get(args[0]) ?? ''] : named
        before({ name: key.replace(/Sync$/, ''), paths: known })
        const result = original.apply(target, [...args])
        if (key === 'openSync') paths.set(result as number, named[0] as string)
        return result
      }
    },
  })
}
