// What it costs to decide what to fold and to write the local summary, beside JSON.stringify of the same messages, and
// that both stay linear. Real windows have hundreds of messages; 10,000 are there to show the slope.
import { compactLocally, estimateTokens, localSummary, planCompaction, shouldCompact } from '@loader/compaction'
import { fold, List } from '@loader/session-core'
import { interleave } from './interleave.mjs'

export async function figures() {
  const short = windowOf(10_000)
  const long = windowOf(20_000)
  // The cost of each message is remembered by its identity: copies count as messages that were not measured yet.
  const fresh = () =>
    withMessages(
      short,
      short.messages.toArray().map((message) => ({ ...message })),
    )
  const folding = await interleave({
    fold: () => foldWindow(short),
    json: () => JSON.stringify(short.messages),
  })
  const growth = await interleave(
    { long: () => foldWindow(long), short: () => foldWindow(short) },
    { rounds: 31, sampleMs: 40 },
  )
  const cold = await interleave({
    fold: () => foldWindow(fresh()),
    whole: () => wholeCompaction(fresh()),
    json: () => JSON.stringify(fresh().messages),
  })
  const warm = await interleave({
    need: () => shouldCompact(short),
    json: () => JSON.stringify(short.messages),
  })
  const estimating = await interleave({
    first: () => estimateTokens({ system: '', messages: fresh().messages.toArray(), tools: [] }),
    json: () => JSON.stringify(fresh().messages),
  })
  const ratio = folding.ratio('fold', 'json')
  const slope = growth.ratio('long', 'short')
  return [
    {
      figure: 'plan and local summary of 10,000 messages to JSON.stringify',
      value: ratio,
      unit: 'x',
      bar: 3,
      ok: ratio <= 3,
    },
    { figure: 'the same, 20,000 messages to 10,000', value: slope, unit: 'x', bar: 2.5, ok: slope <= 2.5 },
    shown('the same, when no message was measured before', cold.ratio('fold', 'json')),
    shown('the whole compaction, when no message was measured before', cold.ratio('whole', 'json')),
    shown('estimating 10,000 messages that are new', estimating.ratio('first', 'json')),
    shown('asking whether to compact, before each request', warm.ratio('need', 'json')),
    {
      figure: 'plan and local summary of 10,000 messages',
      value: folding.medianMs.fold,
      unit: 'ms',
      bar: null,
      ok: true,
    },
  ]
}

function shown(figure, value) {
  return { figure, value, unit: 'x', bar: null, ok: true }
}

function foldWindow(state) {
  const plan = planCompaction(state)
  return localSummary(state, plan)
}

function wholeCompaction(state) {
  shouldCompact(state)
  return compactLocally(state, planCompaction(state), { messageId: 'sum' })
}

/** The window of an agent that was asked 1,000 times or so and never compacted. */
function windowOf(count) {
  const opened = { type: 'session.opened', seq: 1, at: '2026-01-01T00:00:00.000Z', format: 1, id: 'ses_bench' }
  const messages = []
  for (let number = 1; messages.length < count; number += 1) addTurn(messages, number)
  return withMessages(fold([opened]), messages.slice(0, count))
}

function withMessages(state, messages) {
  return { ...state, messages: List.from(messages) }
}

function addTurn(messages, number) {
  const add = (role, origin, ...content) => {
    messages.push({ id: `message_${messages.length}`, role, origin, content, at: '2026-01-01T00:00:01.000Z' })
  }
  const text = (words) => ({ type: 'text', text: words })
  const file = `src/part${number}/module.ts`
  const answer = (words, name, input, result) => {
    const id = `call_${messages.length}`
    add('assistant', 'model', text(words), { type: 'call', call: { id, name, input } })
    add('tool', 'tool', { type: 'result', callId: id, name, outcome: 'ok', text: result })
  }
  add('user', 'input', text(`Please see to part ${number} of the work. Do not touch the files of the other parts.`))
  answer(`Let me look at ${file} first.`, 'read', { file_path: file }, code.repeat(12))
  answer(
    `It fails because retryLimit is ${number}; I set it to ${number + 1}.`,
    'edit',
    { file_path: file, content: code },
    'Edited.',
  )
  answer('Now the tests.', 'bash', { command: `npm test -- part${number}` }, log.repeat(10))
  add(
    'assistant',
    'model',
    text(`Part ${number} is done: ${file} now retries ${number + 1} times, and all tests pass.`),
  )
}

const code = 'export function retry(times) {\n  for (let i = 0; i < times; i += 1) attempt(i)\n}\n'
const log = ' ✓ retries as often as it is told (3 ms)\n'
