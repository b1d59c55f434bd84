import type { BackendEvent } from '@loader/session-core'

/** Emits a status event regularly until the work has ended, and the text of `news` once, if there is any. */
export async function* whileWaiting(
  work: Promise<unknown>,
  everyMs: number,
  message: (seconds: number) => string,
  news?: Promise<string | undefined>,
): AsyncGenerator<BackendEvent, void, undefined> {
  const ended = work.then(
    () => 'ended' as const,
    () => 'ended' as const,
  )
  let told = news?.then((text) => ({ text }))
  let rounds = 0
  for (;;) {
    const first = await firstOf<'ended' | News>(told === undefined ? [ended] : [ended, told], everyMs)
    if (first === 'ended') return
    if (first === 'waiting') {
      rounds += 1
      yield { type: 'status', message: message(Math.round((rounds * everyMs) / 1000)) }
    } else {
      told = undefined
      if (first.text !== undefined) yield { type: 'status', message: first.text }
    }
  }
}

interface News {
  readonly text: string | undefined
}

async function firstOf<Result>(work: readonly Promise<Result>[], everyMs: number): Promise<Result | 'waiting'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const waiting = new Promise<'waiting'>((resolve) => {
    timer = setTimeout(() => resolve('waiting'), everyMs)
  })
  try {
    return await Promise.race([...work, waiting])
  } finally {
    clearTimeout(timer)
  }
}
