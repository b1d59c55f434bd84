import { createContext, Script } from 'node:vm'

interface Box {
  work: () => unknown
}

const box: Box = { work: () => undefined }
let context: ReturnType<typeof createContext> | undefined
let script: Script | undefined

export type InTime<Result> = { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'too_long' }

/**
 * Runs synchronous work with a time limit. A regular expression can take for ever, and nothing else in the process can
 * stop it. The work must not call this function.
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

/** The error comes from another context, so it is not an instance of our Error. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
