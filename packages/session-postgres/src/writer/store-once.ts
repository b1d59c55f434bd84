import { LoaderError } from '@loader/session-core'
import { randomUUID } from 'node:crypto'
import { failureOf, storageError } from '../database/failure.ts'
import type { HeldClaim } from './held-claim.ts'
import * as statements from './statements.ts'

/** Stores events behind the last one, once, whatever becomes of the connection meanwhile. */
export async function storeOnce(claim: HeldClaim, bodies: readonly string[]): Promise<void> {
  for (;;) {
    const since = claim.now()
    try {
      const { rowCount } = await send(claim, bodies)
      if (rowCount !== bodies.length) throw (await claim.whyNot()) ?? claim.disagrees()
      return claim.storedBy(since, bodies)
    } catch (error) {
      const failure = LoaderError.is(error) ? 'refused' : failureOf(error)
      if (failure === 'lost') {
        if (!(await isStored(claim, bodies, error))) continue
        return claim.storedBy(undefined, bodies)
      }
      if (failure !== 'unreached' || !claim.hasTimeLeft) throw storageError(error, `write to session ${claim.id}`)
    }
    await claim.pause()
  }
}

function send(claim: HeldClaim, bodies: readonly string[]): ReturnType<HeldClaim['run']> {
  const start = [claim.token, claim.storedSeq, claim.leaseMs] as const
  const [body, ...more] = bodies
  return body !== undefined && more.length === 0
    ? claim.run(statements.appendOne, [...start, body])
    : claim.run(statements.append, [...start, bodies.join('\n'), bodies.length])
}

/** Whether what was sent took effect. When this is told, it will not do so any more. */
async function isStored(claim: HeldClaim, bodies: readonly string[], lost: unknown): Promise<boolean> {
  const next = (claim.nextToken = randomUUID())
  while (claim.hasTimeLeft) {
    try {
      const { rows } = await claim.run(statements.settle, [claim.token, next])
      const [row] = rows
      if (row === undefined) return await wasStored(claim, bodies, lost)
      claim.token = next
      if (Number(row['head_seq']) === claim.storedSeq + bodies.length) return true
      if (row['holds'] !== true) throw (await claim.whyNot()) ?? claim.disagrees()
      return false
    } catch (error) {
      // Also where the server refuses to say (it waited for too long, or has no connection left), it may do so later.
      if (LoaderError.is(error)) throw error
    }
    await claim.pause()
  }
  throw claim.uncertain(lost)
}

/**
 * Another writer has the session by now, so the events that were sent are stored or never will be. Unless they were
 * stored and then deleted with the session: another one may lie under its name, with claims that are counted alike.
 */
async function wasStored(claim: HeldClaim, bodies: readonly string[], lost: unknown): Promise<boolean> {
  const { rows } = await claim.run(statements.storedBodies, [claim.storedSeq, bodies.length + 1])
  const behind = rows.filter(({ seq }) => Number(seq) > claim.storedSeq)
  const isOurs = (body: string, index: number) =>
    behind[index]?.['body'] === body && Number(behind[index]['epoch']) === claim.epoch
  if (bodies.every(isOurs)) return true
  const isSameSession = claim.lastBody !== undefined && rows[0]?.['body'] === claim.lastBody
  throw (isSameSession && (await claim.whyNot())) || claim.uncertain(lost)
}
