import { createContext, Script } from 'node:vm'

interface Box {
  work: () => unknown
}

const box: Box = { work: () => undefined }
let context: ReturnType<typeof createContext> | undefined
let script: Script | undefined

export type InTime<Result> = { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'too_long' }

/**
 * Does synchronous work for so long and no longer. A regular expression can take for ever, and nothing else in the
 * process can stop one that does. It must not be used by its own work.
 */
export function withinTime<Result>(ms: number, work: () => Result): InTime<Result> {
  context ??= createContext(box)
  script ??= new Script('work()')
  let result: { readonly value: Result } | undefined
  box.work = () => {
    result = { value: work() }
  }
  try {
    script.runInContext(context, { timeout: ms })
  } catch (error) {
    if (isTimeout(error)) return { kind: 'too_long' }
    throw error
  } finally {
    box.work = () => undefined
  }
  return result === undefined ? { kind: 'too_long' } : { kind: 'done', result: result.value }
}

/** It comes from the other context, so it is no Error of ours. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
