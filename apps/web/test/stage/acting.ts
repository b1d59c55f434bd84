import { MemoryStore, type StoredEvent } from '@loader/session-core'
import type { ActAnswers, ActName, FleetAnswer, Standing, StandingQuestion } from '../../src/protocol.ts'
import { ActRefused } from '../../src/server/acting/act-refused.ts'
import type { Acting } from '../../src/server/ports/acting.ts'
import { recordedEvents } from './exported-page.ts'
import { resting } from './sessions-of.ts'

const patch = `--- src/total.js
+++ src/total.js
@@ -1,2 +1,2 @@
 export function lineTotal({ price, count }) {
-  return price * count
+  return Math.round(price * count)
`

/** A yes. */
export const once = { kind: 'permit', permit: 'allow', scope: 'once' } as const
const choices: StandingQuestion['choices'] = [
  { letter: 'y', label: 'yes, this once', send: once },
  {
    letter: 's',
    label: 'yes, for the rest of this session',
    further: {
      title: 'For the rest of this session, to what?',
      choices: [
        { letter: 'c', label: 'this very call', rule: 'Edit(src/total.js)', send: { ...once, scope: 'session' } },
        { letter: 'y', label: 'neither; yes, this once', send: once },
      ],
    },
  },
  { letter: 'n', label: 'no', send: { ...once, permit: 'deny' } },
]

export const permit: StandingQuestion = {
  questionId: 'q_1',
  kind: 'permit',
  isPlan: false,
  shown: 'digest',
  askedAt: '2026-01-01T00:00:00.000Z',
  title: 'Edit a file',
  tool: 'edit',
  text: patch,
  options: [],
  reason: 'the mode prompt asks',
  why: 'rounding is missing',
  reach: 'network',
  choices,
}
export const question: StandingQuestion = {
  ...permit,
  questionId: 'q_2',
  kind: 'question',
  title: null,
  tool: null,
  text: 'Which **colour**?',
  options: [{ label: 'Blue', description: 'as before' }],
  choices: [],
}
const here = { where: 'here' } as const
/** A session that waits for a permission. */
export const waiting: Standing = { ...resting, phase: 'waiting', holder: here, turnId: 'turn_1', question: permit }

const fleet: FleetAnswer = {
  workers: [
    {
      id: 'w1',
      host: 'ada',
      pid: 7,
      version: '1.0.0',
      projects: '/srv',
      concurrency: 1,
      sessions: 0,
      there: false,
      goneForSeconds: 90,
    },
  ],
  sessions: [
    {
      id: 'ses_1',
      title: 'Crunch',
      project: '/p',
      standing: 'parked',
      worker: null,
      leaseLeftSeconds: null,
      waitsForSeconds: 3,
      kills: 3,
      reason: 'three workers ended',
    },
  ],
  counts: { queued: 0, running: 0, waiting: 0, parked: 1 },
}

/** What is answered to each act. */
export type Answers = { readonly [Name in ActName]: ActAnswers[Name] }

/** Sessions with one turn each, which is enough to act on. */
export async function storeWith(ids: readonly string[]): Promise<MemoryStore> {
  const store = new MemoryStore()
  const whole = recordedEvents('invoices')
  const recorded = whole.slice(0, whole.findIndex(({ type }) => type === 'turn.finished') + 1)
  const [opened] = recorded
  const known = opened !== undefined && 'id' in opened ? String(opened.id) : ''
  for (const id of ids) {
    const events = JSON.parse(JSON.stringify(recorded).replaceAll(known, id)) as StoredEvent[]
    await store.restore({ id, events, texts: new Map() })
  }
  return store
}

/** What the previews show. */
export const previews = {
  'rewind-preview': {
    session: 'ses_invoices',
    token: 't',
    preview: {
      session: 'ses_invoices',
      done: false,
      turnIds: ['a'],
      input: 'Allow a discount',
      files: [{ path: '/project/src/total.js', outcome: 'kept', reason: 'Something else has changed it.' }],
      unseen: [],
    },
  },
  'accept-preview': {
    session: 'ses_invoices',
    token: 't',
    preview: {
      session: 'ses_invoices',
      done: false,
      files: ['test/total.test.js'],
      packages: [],
      tests: [],
      patch,
      judgement: null,
    },
  },
} as const satisfies Partial<Answers>

/** Tells of what is asked for, and refuses what has no answer here. */
export function actingOn(tell: (name: ActName, body: unknown) => void, answers: Partial<Answers> = previews): Acting {
  const act = new Proxy({} as Acting['act'], {
    get: (_acts, name: ActName) => (body: unknown) => {
      tell(name, body)
      const answer = answers[name]
      if (answer !== undefined) return Promise.resolve(answer)
      return Promise.reject(new ActRefused('busy', 'Another process has it. End it there, then try again.'))
    },
  })
  return { act, fleet: () => Promise.resolve(fleet) }
}
