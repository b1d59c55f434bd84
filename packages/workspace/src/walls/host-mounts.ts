import { readFileSync } from 'node:fs'
import { codeOf } from '../paths/system-errors.ts'

/** One mount of this machine, as this process sees it. */
export interface HostMount {
  readonly path: string
  readonly options: readonly string[]
}

/** In the order of the kernel's list. Empty where the system has no such list. */
export function hostMounts(): readonly HostMount[] {
  return list()
    .split('\n')
    .flatMap((line) => {
      const [, , , , path, options] = line.split(' ')
      return path === undefined || options === undefined ? [] : [{ path: unescaped(path), options: options.split(',') }]
    })
}

function unescaped(path: string): string {
  return path.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
}

function list(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return ''
  }
}
