import type { Stage } from '../stage/stage.ts'

/** How long something may go on after it was told to stop. */
const graceMs = 5_000

/** What the work comes to, or undefined when it does not end in good time after it was told to stop. */
export async function inGoodTime<Result>(
  work: Promise<Result>,
  { signal, environment }: Pick<Stage, 'signal' | 'environment'>,
): Promise<Result | undefined> {
  let leave = () => {}
  let callOff = () => {}
  const tooLate = new Promise<undefined>((resolve) => {
    leave = () => {
      callOff = environment.after(graceMs, () => resolve(undefined))
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    signal.removeEventListener('abort', leave)
    callOff()
    work.catch(() => undefined)
  }
}
