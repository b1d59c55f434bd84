// Folding must stay linear in the number of events, and a state that compaction keeps small must stay small.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fold, parseEvent, reduce } from '@loader/session-core'
import { interleave } from './interleave.mjs'

export async function figures() {
  const long = workday(20_000)
  const short = long.slice(0, 10_000)
  // Apart from the others, whose garbage would be collected on the account of the fold.
  const folding = await interleave({ long: () => fold(long), short: () => fold(short) }, { rounds: 31, sampleMs: 40 })
  const growth = folding.ratio('long', 'short')

  const lines = long.map((event) => JSON.stringify(event))
  const reading = await interleave({
    fold: () => fold(long),
    json: () => lines.map((line) => JSON.parse(line)),
    parse: () => lines.map((line) => parseEvent(JSON.parse(line))),
  })

  const compacting = workday(20_000, { compactEvery: 25 })
  const [early, late] = [largestState(compacting, 5_000, 10_000), largestState(compacting, 15_000, 20_000)]
  const flatness = late / early

  const importing = importTimes()

  return [
    {
      figure: 'importing session-core to importing zod',
      value: importing,
      unit: 'x',
      bar: 1.25,
      ok: importing <= 1.25,
    },
    { figure: 'fold, 20,000 events to 10,000, no compaction', value: growth, unit: 'x', bar: 2.5, ok: growth <= 2.5 },
    {
      figure: 'state, last 5,000 of 20,000 events to last of 10,000, with compaction',
      value: flatness,
      unit: 'x',
      bar: 1.1,
      ok: flatness <= 1.1,
    },
    { figure: 'state at its largest, with compaction', value: late / 1024, unit: 'KiB', bar: null, ok: true },
    { figure: 'fold, one event', value: (folding.medianMs.long / 20_000) * 1000, unit: 'µs', bar: null, ok: true },
    {
      figure: 'fold to JSON.parse of the same events',
      value: reading.ratio('fold', 'json'),
      unit: 'x',
      bar: null,
      ok: true,
    },
    {
      figure: 'read (parse and check) to JSON.parse',
      value: reading.ratio('parse', 'json'),
      unit: 'x',
      bar: null,
      ok: true,
    },
  ]
}

/**
 * How long a program needs to import the package, zod included, beside one that imports zod alone. In turns, and processor
 * time: what else the machine does is in both of them.
 */
function importTimes(rounds = 21) {
  const own = Array.from({ length: rounds }, () => importTime('@loader/session-core') / importTime('zod'))
  return own.sort((one, other) => one - other)[Math.floor(rounds / 2)]
}

/** From the folder of the package, where both have a name. */
function importTime(name) {
  const program = `const before = process.cpuUsage()
    await import('${name}')
    const { user, system } = process.cpuUsage(before)
    console.log(user + system)`
  const cwd = fileURLToPath(new URL('..', import.meta.resolve('@loader/session-core')))
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd, encoding: 'utf8' })
  return Number(stdout)
}

/** A state grows until it is compacted: what counts is how large it gets. */
function largestState(events, from, to) {
  let state = fold(events.slice(0, from))
  let largest = 0
  for (const event of events.slice(from, to)) {
    state = reduce(state, event)
    if (event.type === 'turn.finished') largest = Math.max(largest, JSON.stringify(state).length)
  }
  return largest
}

/** Turn after turn of an agent that reads and writes files, `count` events long. */
function workday(count, { compactEvery = Number.POSITIVE_INFINITY } = {}) {
  const events = []
  const add = (type, fields) => {
    const seq = events.length + 1
    events.push({ type, seq, at: new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString(), ...fields })
  }
  add('session.opened', { format: 1, id: 'ses_bench' })
  add('session.claimed', { epoch: 1, owner: { type: 'Agent', path: 'public-agent' } })
  for (let turn = 1; events.length < count; turn += 1) addTurn(add, turn, turn % compactEvery === 0)
  return events.slice(0, count)
}

function addTurn(add, turn, compacts) {
  add('input.queued', { inputId: `in_${turn}`, text: `Please see to part ${turn} of the work.` })
  add('turn.started', { turnId: `turn_${turn}`, inputId: `in_${turn}` })
  if (compacts) addCompaction(add, turn)
  const entry = {
    id: `entry_${turn}`,
    kind: 'route',
    mode: 'execute',
    reasonCode: 'task_is_concrete',
    summary: 'execute: concrete',
  }
  add('workflow.decided', { entry })
  for (let step = 1; step <= 3; step += 1) addStep(add, `${turn}_${step}`)
  const requestId = `req_${turn}_end`
  add('model.asked', { requestId, purpose: 'answer', attempt: 1 })
  add('answer.progressed', { requestId, text: 'It is done.' })
  add('model.answered', {
    requestId,
    content: [{ type: 'text', text: 'It is done.' }],
    finishReason: 'stop',
    usage: { inputTokens: 900, outputTokens: 9 },
  })
  add('turn.finished', { turnId: `turn_${turn}`, reason: 'turn_complete', responseId: requestId })
}

function addStep(add, name) {
  const requestId = `req_${name}`
  const callId = `call_${name}`
  const call = {
    id: callId,
    name: 'write',
    input: { file_path: `src/${name}.ts`, content: 'export const x = 1\n'.repeat(20) },
  }
  add('model.asked', { requestId, purpose: 'answer', attempt: 1 })
  add('model.answered', {
    requestId,
    content: [
      { type: 'text', text: 'Next file.' },
      { type: 'call', call },
    ],
    finishReason: 'tool-calls',
  })
  add('call.examined', { callId, effect: 'write', paths: [{ path: `/w/src/${name}.ts`, inside: true }] })
  add('permission.decided', { callId, permit: 'allow', by: 'policy' })
  add('tool.started', { callId })
  add('tool.finished', { callId, outcome: 'ok', text: `Wrote src/${name}.ts.` })
}

function addCompaction(add, turn) {
  add('context.compacted', {
    messageId: `sum_${turn}`,
    text: `[COMPACTED CONTEXT] ${'What happened so far. '.repeat(40)}`,
    method: 'local',
    firstKept: null,
    removed: 0,
    tokensBefore: 50_000,
    tokensAfter: 1_000,
  })
}
