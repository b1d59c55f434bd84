// A session is opened, written, closed and continued. Run it: node examples/first-session.mjs
import { MemoryStore, readSession, Session, shownText, textOf, transcript, turnSummary } from '@loader/session-core'

let ids = 0
const environment = { now: () => new Date().toISOString(), newId: (prefix) => `${prefix}_${(ids += 1)}` }
const store = new MemoryStore()
const say = (line) => console.log(line)

say('1. A session is opened. The words of the user are durable before anything else happens.')
const session = await Session.open(store, { environment, title: 'First session' })
session.subscribe((event) => say(`     ${String(event.seq).padStart(2)}  ${event.type}`))
await session.append([
  { type: 'input.queued', inputId: 'in_1', text: 'Create hello.txt' },
  { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
])

say('2. The model asks for a tool. What will happen is written down before it happens.')
const call = { id: 'call_1', name: 'write', input: { file_path: 'hello.txt', content: 'hello\n' } }
await session.append({ type: 'model.asked', requestId: 'req_1', purpose: 'answer', attempt: 1 })
await session.append({
  type: 'model.answered',
  requestId: 'req_1',
  content: [{ type: 'call', call }],
  finishReason: 'tool-calls',
  usage: { inputTokens: 12, outputTokens: 5 },
})
await session.append({ type: 'tool.started', callId: 'call_1' })

say('3. The process goes away here, in the middle of the call. Another one takes the session over.')
const next = await Session.load(store, session.id, { environment, takeover: true })
next.subscribe((event) => say(`     ${String(event.seq).padStart(2)}  ${event.type}`))
const [cutOff] = next.state.turn.calls
say(
  `     Call ${cutOff.call.id} started in epoch ${cutOff.startedEpoch}; this is epoch ${next.epoch}. Nobody knows whether it took effect.`,
)

say('4. It says so, and ends the turn. Nothing was lost, nothing was done twice.')
await next.append({
  type: 'tool.finished',
  callId: 'call_1',
  outcome: 'unknown',
  text: 'The process ended while this ran.',
})
await next.append({ type: 'turn.finished', turnId: 'turn_1', reason: 'interrupted' })
await next.close()

const { state, recording } = await readSession(store, session.id)
say('\nWhat the session holds now:')
for (const { message, seq } of transcript(recording)) {
  const [part] = message.content
  const shown =
    part.type === 'call'
      ? `calls ${part.call.name}`
      : part.type === 'result'
        ? `${part.outcome}: ${shownText(part.text)}`
        : textOf(message.content)
  say(`  seq ${String(seq).padStart(2)}  ${message.role.padEnd(9)}  ${shown}`)
}
const { reason, usage } = turnSummary(state)
say(`  The turn ended: ${reason}. It used ${usage.inputTokens} + ${usage.outputTokens} tokens.`)
say('\nThis program kept it in memory; the packages that are to come keep it on disk.')
