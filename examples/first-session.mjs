// A session survives its process. Run it: node examples/first-session.mjs
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSession, Session, shownText, textOf, transcript, turnSummary } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'

const [, , role, folder] = process.argv
const id = 'first-session'
const environment = systemEnvironment()
if (role === 'work') await work(folder)
else await show(mkdtempSync(join(tmpdir(), 'loader-start-')))

/** What an agent does, until its process is killed in the middle of a call. */
async function work(root) {
  const store = new FileSessionStore({ root })
  const session = await Session.open(store, { environment, id, title: 'First session' })
  session.subscribe(tell)
  console.log('1. The words of the user are on the disk before all else.')
  await session.append([
    { type: 'input.queued', inputId: 'in_1', text: 'Create hello.txt' },
    { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
  ])
  console.log('2. The model asks for a tool. Its start is written first.')
  await session.append({ type: 'model.asked', requestId: 'req_1', purpose: 'answer', attempt: 1 })
  const call = { id: 'call_1', name: 'write', input: { file_path: 'hello.txt', content: 'hello\n' } }
  const content = [{ type: 'call', call }]
  const usage = { inputTokens: 12, outputTokens: 5 }
  await session.append({ type: 'model.answered', requestId: 'req_1', content, finishReason: 'tool-calls', usage })
  await session.append({ type: 'tool.started', callId: 'call_1' })
  console.log(`3. Here process ${process.pid} is killed, saving nothing.`)
  process.kill(process.pid, 'SIGKILL')
}

/** The next process finds everything, and says what it cannot know. */
async function show(root) {
  spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'work', root], { stdio: 'inherit' })
  const store = new FileSessionStore({ root })
  const session = await Session.load(store, id, { environment })
  session.subscribe(tell)
  const [cutOff] = session.state.turn.calls
  console.log(
    `4. Process ${process.pid} goes on in epoch ${session.epoch}. ${cutOff.call.id} is of epoch ${cutOff.startedEpoch}:`,
  )
  console.log('   whether it took effect, nobody knows. That is recorded,\n   and it is not run again.')
  await session.append({ type: 'tool.finished', callId: 'call_1', outcome: 'unknown', text: 'The process ended.' })
  await session.append({ type: 'turn.finished', turnId: 'turn_1', reason: 'interrupted' })
  await session.close()

  const { state, history } = await readSession(store, id)
  console.log('\nWhat the session holds now:')
  for (const { message, seq } of transcript(history)) {
    console.log(`   ${String(seq).padStart(2)}  ${message.role.padEnd(9)}  ${shown(message)}`)
  }
  const { reason, usage } = turnSummary(state)
  console.log(`   The turn ended: ${reason}. It used ${usage.inputTokens} + ${usage.outputTokens} tokens.`)
  console.log('\nWhere it was, in .loader/sessions of a temporary folder:')
  for (const name of readdirSync(store.directory)) {
    console.log(`   ${name.padEnd(30)}  ${statSync(join(store.directory, name)).size} bytes`)
  }
  rmSync(root, { recursive: true })
}

function tell(event) {
  console.log(`   ${String(event.seq).padStart(2)}  ${event.type}`)
}

function shown({ content }) {
  const [part] = content
  if (part.type === 'call') return `calls ${part.call.name}`
  return part.type === 'result' ? `${part.outcome}: ${shownText(part.text)}` : textOf(content)
}
