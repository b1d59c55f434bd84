import type { Stage } from '../stage/stage.ts'

/** How long work may continue after it was told to stop. */
const graceMs = 5_000

/** The result of the work, or undefined if it does not end within the grace period after the signal. */
export async function withGracePeriod<Result>(
  work: Promise<Result>,
  { signal, environment }: Pick<Stage, 'signal' | 'environment'>,
): Promise<Result | undefined> {
  let leave = () => {}
  let cancel = () => {}
  const tooLate = new Promise<undefined>((resolve) => {
    leave = () => {
      cancel = environment.after(graceMs, () => resolve(undefined))
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    signal.removeEventListener('abort', leave)
    cancel()
    work.catch(() => undefined)
  }
}
