import type { BackendEvent } from '@loader/session-core'

/** Says every now and then that nothing has come yet, until the work has ended one way or the other. */
export async function* whileWaiting(
  work: Promise<unknown>,
  everyMs: number,
  message: (seconds: number) => string,
): AsyncGenerator<BackendEvent, void, undefined> {
  const ended = work.then(
    () => 'ended' as const,
    () => 'ended' as const,
  )
  for (let rounds = 1; ; rounds += 1) {
    if ((await firstOf(ended, everyMs)) === 'ended') return
    yield { type: 'status', message: message(Math.round((rounds * everyMs) / 1000)) }
  }
}

async function firstOf(ended: Promise<'ended'>, milliseconds: number): Promise<'ended' | 'waiting'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const waiting = new Promise<'waiting'>((resolve) => {
    timer = setTimeout(() => resolve('waiting'), milliseconds)
  })
  try {
    return await Promise.race([ended, waiting])
  } finally {
    clearTimeout(timer)
  }
}
