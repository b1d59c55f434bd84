import { isSessionEvent, LoaderError, readSession, Session, type StoredEvent } from '@loader/session-core'
import { call, type CrashPorts, line, ScriptedBackend } from '@loader/test-harness'
import { runTurn, startTurn } from './own-loop.ts'

/** What outlives a crash, besides the session. */
export interface Account {
  paid: number
}

export interface Payment {
  readonly paid: number
  /** What the model was told of it. */
  readonly told: string | undefined
}

export function account(): Account {
  return { paid: 0 }
}

/** Pays an invoice in one turn: begins it, or goes on with it after a crash. */
export async function pay({ world, store, environment, effect }: CrashPorts<Account>): Promise<Payment> {
  const session = await Session.load(store, 'invoice', { environment }).catch((error: unknown) => {
    if (LoaderError.is(error, 'session_not_found')) return Session.open(store, { environment, id: 'invoice' })
    throw error
  })
  const script = [line('I pay it.', call('pay', {})), line('Done.')]
  const backend = ScriptedBackend.from(script, { after: (await readSession(store, 'invoice')).history })
  if (session.state.messages.length === 0 && session.state.turn === null) await startTurn(session, 'Pay invoice 7')
  await runTurn(session, backend, {
    pay: () =>
      effect('pay', () => {
        world.paid += 1
        return 'Paid.'
      }),
  })
  await session.close()
  const { history } = await readSession(store, 'invoice')
  return { paid: world.paid, told: history.map(outcomeIn).find((outcome) => outcome !== undefined) }
}

function outcomeIn(event: StoredEvent): string | undefined {
  return isSessionEvent(event) && event.type === 'tool.finished' ? event.outcome : undefined
}
