import { callsOf, MemoryStore, ownerOf, readSession, type History, Session, textOf } from '@loader/session-core'
import { call, fixedEnvironment, line, type ScriptedBackend, type ScriptLine } from '../src/index.ts'
import { runTurn, startTurn, type Tools } from '../examples/own-loop.ts'

const inputs = ['Read both files.', 'And then?', 'Write it down.']

/** Everything that can come of a request: calls, a failure, a cut, broken arguments, an id that comes twice, an end. */
export const script: readonly ScriptLine[] = [
  line('Reading.', call('read', { path: 'a' }), call('read', { path: 'b' })),
  line('Read.'),
  { text: 'Well', fault: { type: 'throw', kind: 'overloaded', status: 529 } },
  { text: 'The answer is', chunks: 'word', fault: { type: 'cut', after: 2 } },
  (_request, number) => line(call('write', { line: number })),
  { ...line(call('write', { path: 'c' })), fault: { type: 'malformed_call' } },
  { ...line(call('write', { path: 'd' }), call('nothing')), fault: { type: 'duplicate_call_id' } },
  { text: 'Done.', reasoning: 'Hm.', usage: { inputTokens: 9, outputTokens: 2 } },
]

const tools: Tools = {
  read: async (input) => `Contents of ${JSON.stringify(input)}`,
  write: async (input) => {
    if ('path' in (input as object)) return 'Written.'
    throw new Error('There is no path.')
  },
}

export async function record(backend: ScriptedBackend): Promise<History> {
  const store = new MemoryStore()
  await work(await Session.open(store, { id: 'one', environment: fixedEnvironment() }), backend)
  return (await readSession(store, 'one')).history
}

/** What another process makes of a session whose process ended after these events. */
export async function resume(cut: History, backend: ScriptedBackend): Promise<History> {
  const store = new MemoryStore()
  const { writer } = await store.claim('one', { owner: ownerOf('Session'), expect: 'new' })
  await writer.append(cut, 'flush')
  await writer.release()
  // The store counts its claims anew, so the epochs that the events know have to be passed again.
  const claims = cut.filter(({ type }) => type === 'session.claimed').length
  for (let claim = 1; claim < claims; claim += 1) {
    const again = await store.claim('one', { owner: ownerOf('Session'), expect: 'existing' })
    await again.writer.release()
  }
  const clock = fixedEnvironment({ start: '2026-01-02T00:00:00.000Z' })
  // Ids that count from one again would repeat those of the first process.
  const environment = { now: () => clock.now(), newId: (prefix: string) => clock.newId(`${prefix}_${cut.length}`) }
  await work(await Session.load(store, 'one', { environment }), backend)
  return (await readSession(store, 'one')).history
}

/** Goes on with whatever is open, and then with the inputs that have not been given yet. */
async function work(session: Session, backend: ScriptedBackend): Promise<void> {
  const given = () => session.state.usage.turns + session.state.queue.length + (session.state.turn ? 1 : 0)
  for (;;) {
    const [waiting] = session.state.queue
    if (session.state.turn === null) {
      if (waiting) await session.append({ type: 'turn.started', turnId: `t${given()}`, inputId: waiting.inputId })
      else if (given() < inputs.length) await startTurn(session, inputs[given()] as string)
      else return
    }
    await runTurn(session, backend, tools)
  }
}

/** What the model said, request by request, without the requests that the end of a process cut off. */
export function said(history: History): string[] {
  return history.flatMap((event) => {
    if (event.type === 'model.interrupted' && 'reason' in event) return event.reason === 'crashed' ? [] : ['cut']
    if (event.type === 'model.failed' && 'error' in event) return `failed: ${event.error.kind}`
    if (event.type !== 'model.answered' || !('content' in event)) return []
    const calls = callsOf(event.content).map(({ name, providerId, malformed }) =>
      [name, providerId, malformed].join(' '),
    )
    return [textOf(event.content), ...calls].join('; ')
  })
}
