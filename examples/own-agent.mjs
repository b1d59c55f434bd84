// Durable sessions in an agent of your own, with session-core and session-fs alone. The loop below asks the session what
// is open, does it, and writes down what came of it; so a crash is a pause between two of its rounds.
// Run it: node examples/own-agent.mjs
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Session, shownText, textOf } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'

/** The words of the user are on the disk when this resolves. */
export async function startTurn(session, text) {
  const [inputId, turnId] = [session.environment.newId('in'), session.environment.newId('turn')]
  await session.append([
    { type: 'input.queued', inputId, text },
    { type: 'turn.started', turnId, inputId },
  ])
}

/** Works on the open turn until it is over. Each event is durable before the next thing happens. */
export async function runTurn(session, model, tools) {
  for (let { turn } = session.state; turn !== null; { turn } = session.state) {
    const open = turn.calls.find(({ outcome }) => outcome === undefined)
    await session.append(
      open === undefined ? await nextOfModel(session, turn, model) : await nextOfCall(session, open, tools),
    )
  }
}

async function nextOfModel(session, { id: turnId, request, calls }, model) {
  if (request?.status === 'asked') {
    // Asked by a process that is gone: nobody hears that answer any more.
    if (request.epoch < session.epoch) return { type: 'model.interrupted', requestId: request.id, reason: 'crashed' }
    return answerOf(session, request.id, model)
  }
  if (request?.status === 'answered' && calls.length === 0)
    return { type: 'turn.finished', turnId, reason: 'turn_complete' }
  if (request?.status === 'failed') return { type: 'turn.finished', turnId, reason: 'model_failed' }
  return { type: 'model.asked', requestId: session.environment.newId('req'), purpose: 'answer', attempt: 1 }
}

async function answerOf(session, requestId, model) {
  const request = { requestId, purpose: 'answer', system: '', messages: session.state.messages.toArray(), tools: [] }
  try {
    for await (const event of model.stream(request)) {
      if (event.type !== 'done') continue
      const { content, finishReason, usage } = event
      return {
        type: 'model.answered',
        requestId,
        content: content.map((part) => withOwnId(part, session)),
        finishReason,
        usage,
      }
    }
    return { type: 'model.interrupted', requestId, reason: 'cut' }
  } catch (error) {
    return { type: 'model.failed', requestId, error: error.failure ?? { kind: 'other', message: error.message } }
  }
}

async function nextOfCall(session, { call, startedEpoch }, tools) {
  const finished = { type: 'tool.finished', callId: call.id }
  if (tools[call.name] === undefined) return { ...finished, outcome: 'failed', text: `There is no tool ${call.name}.` }
  if (startedEpoch === undefined) return { type: 'tool.started', callId: call.id }
  // Begun by a process that is gone: it may have happened. It is not done again; the model is told.
  if (startedEpoch < session.epoch) return { ...finished, outcome: 'unknown', text: 'The process ended meanwhile.' }
  try {
    return { ...finished, outcome: 'ok', text: await tools[call.name](call.input) }
  } catch (error) {
    return { ...finished, outcome: 'failed', text: error.message }
  }
}

/** Providers may repeat the id of a call; a session never does. */
function withOwnId(part, { environment }) {
  if (part.type !== 'call') return part
  return { ...part, call: { ...part.call, id: environment.newId('call'), providerId: part.call.id } }
}

// From here on it is used: one process is killed while it sends a letter, and the next one goes on.
const [, program, root, id] = process.argv

async function show() {
  const folder = mkdtempSync(join(tmpdir(), 'own-agent-'))
  const newId = systemEnvironment().newId('ses')
  spawnSync(process.execPath, [program, folder, newId], { stdio: 'inherit' })
  console.log('That process was killed. The next one takes the session up:')
  await work(folder, newId)
  console.log(`letters.txt has ${readFileSync(join(folder, 'letters.txt'), 'utf8').split('\n').length - 1} letter.`)
  rmSync(folder, { recursive: true })
}

async function work(folder, sessionId) {
  const options = { environment: systemEnvironment() }
  const store = new FileSessionStore({ root: folder })
  const isThere = (await store.list()).rows.length > 0
  const session = isThere
    ? await Session.load(store, sessionId, options)
    : await Session.open(store, { ...options, id: sessionId })
  session.subscribe(({ seq, type, outcome }) =>
    console.log(`  ${String(seq).padStart(2)}  ${type} ${outcome ?? ''}`.trimEnd()),
  )
  if (!isThere) await startTurn(session, 'Send the letter')
  await runTurn(session, model, { send_letter: () => sendLetter(folder) })
  console.log(textOf(session.state.messages.at(-1).content))
  await session.close()
}

function sendLetter(folder) {
  appendFileSync(join(folder, 'letters.txt'), 'Dear Ann\n')
  process.kill(process.pid, 'SIGKILL') // the letter is away, and nobody has written that down
}

/** Stands for a model. Yours comes from @loader/backends, or is whatever you use, behind the same method. */
const model = {
  async *stream({ messages }) {
    const [result] = messages.at(-1).content.filter(({ type }) => type === 'result')
    const text = `It is ${result?.outcome} whether the letter was sent (${shownText(result?.text ?? '')}) I ask Ann before I send another.`
    const call = { type: 'call', call: { id: '1', name: 'send_letter', input: {} } }
    yield { type: 'done', content: [result === undefined ? call : { type: 'text', text }], finishReason: 'stop' }
  },
}

if (program === fileURLToPath(import.meta.url)) await (root === undefined ? show() : work(root, id))
