import { expect, test } from 'vitest'
import { textOf } from '@loader/session-core'
import { compactFromModel, compactLocally, planCompaction } from '../src/index.ts'
import { policyWith } from './policy.ts'
import { Recorder } from './recorder.ts'

const numbers = Array.from({ length: 5 }, (_, index) => index + 1)
const carried = {
  criteria: numbers.map((number) => `Criterion ${number}: report ${number} lists every invoice of 20${10 + number}.`),
  todos: numbers.map((number) => `Todo ${number}: move table t_${number} to the new schema`),
  ledger: numbers.map((number) => `Ledger ${number}: tenant ${number * 7} has no archive.`),
  rules: numbers.map((number) => `Never write to the bucket backup-${number}.`),
  files: numbers.map((number) => `/w/src/billing/part${number}.ts`),
}
const told = [
  'The staging server listens on port 8443.',
  'The lock is taken twice in src/net/retry.ts:42.',
  'Rounding fails for amounts above 2147483647.',
  'The token of the mail relay expires after 900 seconds.',
  'Customer 4711 has two billing addresses.',
  'The nightly job is called reconcileLedger.',
  'The old importer wrote dates as DD.MM.YYYY.',
  'Node 20.11 crashes here because of a bug in fetch.',
  'The feature flag is named billing_v2_rollout.',
  'We decided against Kafka because of the 3 node limit.',
  'The schema lives in db/schema/invoices.sql.',
  'Invoices from before 2014 have no tax_id.',
  'The retry limit is MAX_RETRIES = 5.',
  'The test in test/rounding.test.ts is flaky on ARM.',
  'Commit 9f3c2ab introduced the double charge.',
  'The report needs the locale de_CH.',
  'It turned out that parseAmount drops the sign.',
  'The export is limited to 65535 rows.',
  'The sandbox key begins with `sk_test_51`.',
  'Support wants the CSV with a semicolon.',
  'The dashboard reads from replica-2.',
  'Daylight saving breaks the job on 30 March.',
  'The currency of tenant 12 is CHF.',
  'The legacy endpoint is /api/v1/charge.',
  'The cache key is invoice:{id}:v3.',
]

test('of fifty planted facts, those in the carried state survive ten compactions, all of them', () => {
  const shares = [
    ['local summary, window unknown', survivors({})],
    ['local summary, window of 32,768', survivors({ contextWindow: 32_768 })],
    ['local summary, window of 131,072', survivors({ contextWindow: 131_072 })],
    ['model that repeats one line in two of what it reads', survivors({ contextWindow: 131_072, model: forgetful })],
  ] as const
  for (const [name, rounds] of shares) {
    const share = ({ found }: Round) => `${Math.round((found.length / told.length) * 100)} %`
    const [first, last] = [rounds[0], rounds[9]]
    if (first === undefined || last === undefined) throw new Error('ten compactions were made')
    console.log(`facts told in old messages, ${name}: ${share(first)} after 1 compaction, ${share(last)} after 10`)
    for (const { lost } of rounds) expect(lost).toEqual([])
  }
  expect(shares[0][1][9]?.found.length).toBeGreaterThan(0)
})

interface Round {
  /** Carried facts that the window lacks. */
  readonly lost: readonly string[]
  /** Told facts that it still has. */
  readonly found: readonly string[]
}

interface Setting {
  readonly contextWindow?: number
  readonly model?: (text: string) => string
}

/** What the window holds after each of ten compactions. */
function survivors({ contextWindow, model }: Setting): Round[] {
  const recorder = planted(contextWindow)
  return Array.from({ length: 10 }, (_, round) => {
    work(recorder, round)
    compact(recorder, model)
    const window = recorder.window.map(({ content }) => textOf(content)).join('\n')
    const facts = Object.values(carried).flat()
    return { lost: facts.filter((fact) => !window.includes(fact)), found: told.filter((fact) => window.includes(fact)) }
  })
}

function planted(contextWindow: number | undefined): Recorder {
  const recorder = new Recorder()
  const item = (text: string) => ({ text, introducedPhase: 'clarify' })
  const [one = '', two = '', ...rest] = carried.ledger
  const window = contextWindow === undefined ? {} : { contextWindow }
  recorder.record(
    policyWith({ model: { model: 'scripted/model', nativeTools: true, ...window } }),
    {
      type: 'goal.defined',
      goal: {
        id: 'goal',
        task: 'Mend the billing.',
        criteria: carried.criteria.map((text, index) => ({ id: `c${index}`, text, checkIds: [] })),
        checks: [],
      },
    },
    {
      type: 'todos.updated',
      todos: carried.todos.map((text, index) => ({ id: `t${index}`, text, status: 'pending' as const })),
    },
    {
      type: 'ledger.updated',
      ledger: {
        assumptions: [{ ...item(one), status: 'open' }],
        acceptanceAnchors: [{ ...item(two), status: 'active' }],
        decisionBoundaries: rest.map((text) => ({ ...item(text), status: 'tracked' as const })),
      },
    },
  )
  recorder.begin(`Mend the billing. ${carried.rules.join(' ')}`)
  for (const path of carried.files) {
    recorder.answer('', [{ name: 'write', input: { file_path: path } }])
    const callId = recorder.state.turn?.calls[0]?.call.id ?? ''
    recorder.record({ type: 'call.examined', callId, effect: 'write', paths: [{ path, inside: true }] })
    recorder.settle('Wrote it.')
  }
  recorder.end()
  for (let index = 0; index < told.length; index += 5) {
    recorder.say('What did you find?', `I looked around. ${told.slice(index, index + 5).join(' ')} That is all.`)
  }
  return recorder
}

/** Work that brings facts of its own, as work does. */
function work(recorder: Recorder, round: number): void {
  for (let step = 0; step < 8; step += 1) {
    const file = `src/work${round}/step${step}.ts`
    recorder.begin(`Please go on with step ${step} of round ${round}.`)
    recorder.answer(`I read ${file} first.`, [{ name: 'read', input: { file_path: file } }])
    recorder.settle('export const line = 1\n'.repeat(150), step % 4 === 3 ? 'failed' : 'ok')
    recorder.answer(`Step ${step} is done: ${file} now has version 1.${round}.${step}.`)
    recorder.end()
  }
}

function compact(recorder: Recorder, model?: (text: string) => string): void {
  const { state } = recorder
  const plan = planCompaction(state)
  if (plan === null) throw new Error('there is something to fold')
  const messageId = recorder.newId('sum')
  const material = plan.folded.map(({ content }) => textOf(content)).join('\n')
  recorder.record(
    model === undefined
      ? compactLocally(state, plan, { messageId })
      : compactFromModel(state, plan, { outcome: 'written', summary: model(material) }, { messageId }),
  )
  expect(recorder.state.compaction?.messageId).toBe(messageId)
}

/** The worst kind of summary: of each two sentences it reads one, and it has no idea which matters. */
function forgetful(text: string): string {
  const [summary = ''] = text.split('State kept by the runtime:')
  return summary
    .split(/(?<=[.\n])\s+/)
    .filter((_, index) => index % 2 === 0)
    .slice(0, 40)
    .join('\n')
}
