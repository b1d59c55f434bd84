// Deciding must cost little beside doing, and nothing that grows with the log: what a turn looks back at is the window.
import { fold, reduce } from '@loader/session-core'
import { nextStep } from '@loader/workflow'
import { interleave } from './interleave.mjs'

export async function figures() {
  const wide = stateWith({ messages: 2_000, window: 2_000 })
  const decided = await interleave({
    step: () => nextStep(wide.beforeAnswer),
    permit: () => nextStep(wide.beforeCall),
    reduce: () => reduce(wide.beforeAnswer, wide.smallEvent),
  })

  // Logs of any length, whose window is kept small by compaction. Both numbers stop at the same place between two
  // compactions, so that the windows are alike.
  const [short, long] = [200, 20_072].map((messages) => stateWith({ messages, window: 100 }))
  const steps = { short: () => nextStep(short.beforeAnswer), long: () => nextStep(long.beforeAnswer) }
  const grown = await interleave(steps, { rounds: 31, sampleMs: 20 })
  const flatness = grown.ratio('long', 'short')

  const perStep = decided.ratio('move', 'reduce')
  const perPermit = decided.ratio('permit', 'reduce')
  return [
    {
      figure: 'next move, 20,000 messages in the log to 200',
      value: flatness,
      unit: 'x',
      bar: 1.3,
      ok: flatness <= 1.3,
    },
    {
      figure: 'next request over 2,000 messages to reducing one event',
      value: perStep,
      unit: 'x',
      bar: null,
      ok: true,
    },
    {
      figure: 'next permit over 2,000 messages to reducing one event',
      value: perPermit,
      unit: 'x',
      bar: null,
      ok: true,
    },
    {
      figure: 'next request over 2,000 messages',
      value: decided.medianMs.step * 1000,
      unit: 'µs',
      bar: null,
      ok: true,
    },
    {
      figure: 'next permit over 2,000 messages',
      value: decided.medianMs.permit * 1000,
      unit: 'µs',
      bar: null,
      ok: true,
    },
  ]
}

/** A session of one long turn that reads file after file, `messages` in the log and at most `window` in the window. */
function stateWith({ messages, window }) {
  let state = null
  let seq = 0
  const add = (type, fields) => {
    seq += 1
    const at = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString()
    const event = { type, seq, at, ...fields }
    state = state === null ? fold([event]) : reduce(state, event)
    return event
  }
  add('session.opened', { format: 1, id: 'ses_bench', project: { root: '/project' } })
  add('session.claimed', { epoch: 1, owner: { type: 'Agent', path: 'public-agent' } })
  add('policy.applied', {
    permission: {
      mode: 'workspace-write',
      promptingEnabled: false,
      ruleCounts: { allow: 0, deny: 0, ask: 0 },
      rules: [],
      rulesSource: null,
    },
    limits: { maxIterations: 1_000_000, compactAtTokens: 10_000_000 },
    tools: { names: ['read', 'write'], digest: 'd', tokens: 800 },
    audience: 'nobody',
  })
  add('input.queued', { inputId: 'in_1', text: 'Read everything and say what it is about.' })
  add('turn.started', { turnId: 'turn_1', inputId: 'in_1' })
  add('workspace.observed', { facts: { kind: 'node' } })
  add('workflow.decided', {
    entry: {
      id: 'dec_1',
      kind: 'route',
      mode: 'execute',
      reasonCode: 'task_is_concrete',
      summary: 'execute: concrete',
    },
  })
  let compactions = 0
  for (let message = 0; message < messages; message += 2) {
    read(add, message)
    if (state.messages.length > window) {
      compactions += 1
      const kept = state.messages.at(-4)
      add('context.compacted', {
        messageId: `sum_${compactions}`,
        text: '[COMPACTED CONTEXT] Files were read.',
        method: 'local',
        firstKept: kept.id,
        removed: state.messages.length - 4,
        tokensBefore: 10_000,
        tokensAfter: 500,
      })
    }
  }
  const beforeAnswer = state
  const smallEvent = {
    type: 'todos.updated',
    seq: seq + 1,
    at: state.updatedAt,
    todos: [{ id: 'todo_1', text: 'Read on', status: 'pending' }],
  }
  ask(add, 'last', 'call_last')
  add('call.examined', { callId: 'call_last', effect: 'probe', paths: [{ path: '/project/last.txt', inside: true }] })
  return { beforeAnswer, beforeCall: state, smallEvent }
}

function read(add, message) {
  const callId = `call_${message}`
  ask(add, message, callId)
  add('call.examined', { callId, effect: 'probe', paths: [{ path: `/project/${message}.txt`, inside: true }] })
  add('permission.decided', { callId, permit: 'allow', by: 'mode' })
  add('tool.started', { callId })
  add('tool.finished', { callId, outcome: 'ok', text: `The content of file ${message}, line after line.` })
}

function ask(add, message, callId) {
  add('model.asked', { requestId: `req_${message}`, purpose: 'answer', attempt: 1 })
  add('model.answered', {
    requestId: `req_${message}`,
    content: [{ type: 'call', call: { id: callId, name: 'read', input: { file_path: `${message}.txt` } } }],
    finishReason: 'tool-calls',
    usage: { inputTokens: 100, outputTokens: 10 },
  })
}
