import { asWritten, type Judgement } from './tables.ts'
import type { Mishearing } from './line.ts'

/** A store that is wrong in one way. */
export interface Wrong {
  readonly judgement?: Partial<Judgement>
  readonly mishearing?: () => Mishearing
}

export const wrongStores: Readonly<Record<string, Wrong>> = {
  'the lease is not looked at': { judgement: { lease: () => true } },
  'the claim is not looked at': { judgement: { token: () => true } },
  'its own clock is believed': { judgement: { now: (_, { theirNow }) => theirNow() } },
  'the claim is looked at in one statement, and the event stored in the next': { judgement: { appendsAtOnce: false } },
  'an append whose answer was lost is settled, but its token stays good': {
    mishearing: withoutNewTokens(async ([tenant, key], send) => send([tenant, key])),
  },
  'an append whose answer was lost is sent again': {
    mishearing: withoutNewTokens(async () => ({ rows: [{ head_seq: '-1', holds: true }], rowCount: 1 })),
  },
}

export function judgementOf({ judgement }: Wrong): Judgement {
  return { ...asWritten, ...judgement }
}

/** Settles in a way of its own, and leaves the token as it is; the store does not notice. */
function withoutNewTokens(
  settle: (
    place: readonly unknown[],
    send: (values: readonly unknown[]) => ReturnType<Parameters<Mishearing>[1]>,
  ) => ReturnType<Mishearing>,
): () => Mishearing {
  return () => {
    const real = new Map<unknown, unknown>()
    const known = new Map<unknown, unknown>()
    const realOf = (token: unknown) => real.get(token) ?? token
    return async ({ name, values }, send) => {
      if (name === 'settle') {
        const [tenant, key, token, next] = values
        const kept = realOf(token)
        const answer = await settle([tenant, key], ([, ...rest]) => send([tenant, ...rest, kept, kept]))
        if (answer.rowCount > 0) {
          real.set(next, kept)
          known.set(kept, next)
        }
        return answer
      }
      const answer = await send(values.map(realOf))
      if (name !== 'standing') return answer
      return { ...answer, rows: answer.rows.map((row) => ({ ...row, token: known.get(row['token']) ?? row['token'] })) }
    }
  }
}
