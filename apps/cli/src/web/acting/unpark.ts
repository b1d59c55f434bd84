import { type ActAnswers, type ActBodies, ActRefused } from '@loader/web/server'
import type { Desk } from './desk.ts'

/** Lets workers take a parked session again. */
export async function unpark({ session }: ActBodies['unpark'], { line }: Desk): Promise<ActAnswers['unpark']> {
  if ((await line?.unpark(session)) === true) return { session, state: 'recorded' }
  throw new ActRefused('nothing_to_do', 'This session is not parked.')
}
