import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Session } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { fixedEnvironment } from '@loader/test-harness'

// Answers of models and files of people are never plain ASCII for long.
const prose = 'The tests say that `parse` drops the last line — “naïve”, but easily fixed: src/parse.ts → trim() ✓. '
const code =
  'export function parse(text: string): string[] {\n\treturn text.split("\\n").filter((line) => line !== "")\n}\n\n'
/** About 100,000 tokens: where agents compact today. */
const largestWindow = 400 * 1024
const halfSegment = 128 * 1024

/**
 * A session as an agent leaves it behind: turn after turn with calls and their results, compacted when the window is
 * full, closed. It ends with its window nearly full and a live log of about half a segment: opening it costs the most.
 */
export async function workday(folder, name, bytes) {
  const directory = join(folder, name)
  const session = await Session.open(new FileSessionStore({ directory }), { environment: fixedEnvironment(), id: name })
  let written = 0
  let window = 0
  for (let turn = 1; ; turn += 1) {
    const added = await addTurn(session, turn)
    written += added
    window += added
    const isNearlyFull = window > largestWindow * 0.9
    if (written >= bytes && isNearlyFull && Math.abs(liveBytes(directory, name) - halfSegment) < 16 * 1024) break
    if (window < largestWindow) continue
    written += await compact(session, turn)
    window = 0
  }
  await session.close()
  return { directory, name, snapshot: join(directory, `${name}.json`), written }
}

async function addTurn(session, turn) {
  const [inputId, turnId, first, second, callId] = ['in', 'turn', 'req', 'end', 'call'].map((kind) => `${kind}_${turn}`)
  const call = { id: callId, name: 'read', input: { path: `src/part-${turn}.ts`, limit: 400 } }
  const content = [
    { type: 'text', text: prose.repeat(4) },
    { type: 'call', call },
  ]
  return record(session, [
    { type: 'input.queued', inputId, text: `Please see to part ${turn} of the work.` },
    { type: 'turn.started', turnId, inputId },
    { type: 'model.asked', requestId: first, purpose: 'answer', attempt: 1 },
    answer(first, content, 'tool-calls'),
    { type: 'call.examined', callId, effect: 'probe', paths: [{ path: `/w/src/part-${turn}.ts`, inside: true }] },
    { type: 'permission.decided', callId, permit: 'allow', by: 'policy' },
    { type: 'tool.started', callId },
    // Not all alike, so that compactions and segments do not fall into step.
    { type: 'tool.finished', callId, outcome: 'ok', text: code.repeat(20 + ((turn * 7) % 31)) },
    { type: 'model.asked', requestId: second, purpose: 'answer', attempt: 1 },
    answer(second, [{ type: 'text', text: prose.repeat(8) }], 'stop'),
    { type: 'turn.finished', turnId, reason: 'turn_complete', responseId: second },
  ])
}

function compact(session, turn) {
  return record(session, [
    {
      type: 'context.compacted',
      messageId: `sum_${turn}`,
      text: `[COMPACTED CONTEXT] ${prose.repeat(20)}`,
      method: 'local',
      firstKept: null,
      removed: session.state.messages.length,
      tokensBefore: 100_000,
      tokensAfter: 500,
    },
  ])
}

async function record(session, inputs) {
  const events = inputs.map((input) => session.record(input))
  await session.durable()
  return events.reduce((sum, event) => sum + JSON.stringify(event).length, 0)
}

function answer(requestId, content, finishReason) {
  const usage = { inputTokens: 60_000, outputTokens: 300 }
  return { type: 'model.answered', requestId, content, finishReason, usage }
}

function liveBytes(directory, name) {
  return readFileSync(join(directory, `${name}.journal.jsonl`), 'latin1').trimEnd().length
}
