import { paths, type Scope } from '../../protocol.ts'

/** What a request that would change something is refused with; undefined for one that may go on. */
export interface Barred {
  readonly status: 403 | 405
  readonly code: 'read_only' | 'invalid'
  readonly message: string
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Whether a request may change something. It is asked for every request behind the login, by its method alone: a route does
 * not have to remember it, and none that changes something answers to another method than POST.
 */
export function barred(
  { method, path }: { readonly method: string; readonly path: string },
  { readOnly, scope }: { readonly readOnly: boolean; readonly scope: Scope },
): Barred | undefined {
  const isActing = path.startsWith(`${paths.acting}/`)
  if (reading.has(method) && !isActing) return undefined
  if (method !== 'POST') {
    return { status: 405, code: 'invalid', message: 'What changes something is asked for by POST.' }
  }
  if (readOnly) return { status: 403, code: 'read_only', message: 'This server only shows (--read-only).' }
  if (scope.kind !== 'all') return { status: 403, code: 'read_only', message: 'This link only shows.' }
  return undefined
}
