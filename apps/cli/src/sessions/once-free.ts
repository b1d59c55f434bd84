import { LoaderError } from '@loader/session-core'

/** Between two tries to have a session that another process holds. */
const pauseMs = 100

/**
 * Does what needs a session that another process may hold for a moment, such as a worker that looks whether there is something to
 * do. It is tried again as long as that makes sense, and fails with the last refusal.
 */
export async function onceFree<Result>(
  work: () => Promise<Result>,
  {
    mostTries,
    makesSense = () => true,
  }: { readonly mostTries: number; readonly makesSense?: () => boolean | Promise<boolean> },
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!LoaderError.is(error, 'session_busy') || tries === mostTries || !(await makesSense())) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
