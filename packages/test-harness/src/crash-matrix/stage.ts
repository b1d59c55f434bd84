import type { Boundary } from './life.ts'

/** How a life ended: by itself, with its boundaries, or killed at a boundary. */
export type End<Result> =
  | { readonly end: 'finished'; readonly boundaries: readonly Boundary[]; readonly result: Result }
  | { readonly end: 'failed'; readonly boundaries: readonly Boundary[]; readonly message: string }
  | { readonly end: 'killed'; readonly boundaries: readonly Boundary[] }

/** One world, in which the scenario runs once and, after its death, the resumed run. */
export interface CrashStage<Result> {
  scenario(killAt: number | null): Promise<End<Result>>
  resume(): Promise<End<Result>>
  dispose(): Promise<void>
}

/** Disposes of an object, if it has a dispose method. */
export async function disposeOf(world: unknown): Promise<void> {
  if (typeof world !== 'object' || world === null) return
  if (Symbol.asyncDispose in world) await (world as AsyncDisposable)[Symbol.asyncDispose]()
  else if (Symbol.dispose in world) (world as Disposable)[Symbol.dispose]()
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
