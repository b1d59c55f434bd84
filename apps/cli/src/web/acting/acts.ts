import type { Acting } from '@loader/web/server'
import { answerQuestion } from './answering.ts'
import { accept, acceptPreview, fork, rename, rewind, rewindPreview } from './between-turns.ts'
import type { Desk } from './desk.ts'
import { asRefusal } from './refusals.ts'
import { continueTurn, queueWords, send, stopTurn } from './tasks.ts'
import { unpark } from './unpark.ts'

const acts = {
  send,
  queue: queueWords,
  stop: stopTurn,
  continue: continueTurn,
  answer: answerQuestion,
  rename,
  fork,
  'accept-preview': acceptPreview,
  accept,
  'rewind-preview': rewindPreview,
  rewind,
  unpark,
}

/** The acts of the page. When one is answered, it is in the log of the session, or durably in its inbox. */
export function actingFor(desk: Desk): Acting {
  const bound = Object.entries(acts).map(([name, act]) => {
    const run = act as (body: object, desk: Desk) => Promise<object>
    return [name, (body: object) => run(body, desk).catch(asRefusal)] as const
  })
  return {
    act: Object.fromEntries(bound) as unknown as Acting['act'],
    fleet: async () => desk.line?.reading(),
  }
}
