import {
  fold,
  gapsOf,
  isSessionEvent,
  LoaderError,
  Session,
  type SessionState,
  shownText,
  type StoredEvent,
  stateAt,
  summarize,
} from '@loader/session-core'
import {
  conversationOf,
  EvidenceOutput,
  evidenceReading,
  LedgerOutput,
  ledgerReading,
  promptDiffReading,
  promptReading,
  ShowOutput,
  showReading,
  statusReading,
  StatusOutput,
  TimelineOutput,
  timelineReading,
  UsageOutput,
  usageReading,
  WhyOutput,
  whyReading,
} from '@loader/readings'
import { fixedEnvironment } from '@loader/test-harness'
import { times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { asMarkdown } from '../src/export/as-markdown.ts'
import { conversationLines } from '../src/views/conversation-lines.ts'
import {
  diskWith,
  eventsOf,
  kindNames,
  type Mutation,
  mutated,
  provable,
  type Sample,
  sampleOf,
  storeOn,
} from './written/mutations.ts'

const mutations = times({ quick: 12, ci: 300, long: 5000 })

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Every reading of a history; each output is what its schema says. */
function readAll(history: readonly StoredEvent[], state: SessionState) {
  const shown = showReading(history)
  ShowOutput.parse(JSON.parse(JSON.stringify(shown)))
  WhyOutput.parse(JSON.parse(JSON.stringify(whyReading(history, state, null))))
  UsageOutput.parse(JSON.parse(JSON.stringify(usageReading(history, state))))
  TimelineOutput.parse(JSON.parse(JSON.stringify(timelineReading(history, state))))
  EvidenceOutput.parse(JSON.parse(JSON.stringify(evidenceReading(state))))
  LedgerOutput.parse(JSON.parse(JSON.stringify(ledgerReading(state))))
  StatusOutput.shape.session.parse(JSON.parse(JSON.stringify(statusReading(state, null))))
  promptReading(history, state)
  promptDiffReading(history, state)
  const entries = conversationOf(history)
  const facts = { id: state.id, title: summarize(state).title, about: [] }
  const options = { width: 80, paint: (_style: unknown, text: string) => text, extent: 'full' } as const
  return {
    entries,
    texts: [asMarkdown(entries, facts), conversationLines(entries, options).join('\n')],
  }
}

/** What is said in a history, by the id under which it is shown. */
function sayings(events: readonly StoredEvent[]): Map<string, string> {
  return new Map(
    events.flatMap((event): [string, string][] => {
      if (!isSessionEvent(event)) return []
      if (event.type === 'input.queued') return [[event.inputId, shownText(event.text)]]
      if (event.type === 'tool.finished') return [[event.callId, shownText(event.text)]]
      if (event.type !== 'model.answered') return []
      return [
        [
          event.requestId,
          event.content.flatMap((part) => (part.type === 'text' ? [shownText(part.text)] : [])).join('\n\n'),
        ],
      ]
    }),
  )
}

/** Nothing is shown that was not said, and everything is whose events are intact. */
function requireTruth(
  sample: Sample,
  history: readonly StoredEvent[],
  entries: ReturnType<typeof conversationOf>,
): void {
  const said = sayings(sample.events)
  const intact = sayings(history)
  const shown = new Map<string, string>()
  for (const entry of entries) {
    if (entry.kind !== 'message') continue
    shown.set(entry.id, entry.text)
    for (const call of entry.calls) if (call.result !== null) shown.set(call.id, call.result)
  }
  for (const [id, text] of shown) {
    if (/cannot be read|is lost/.test(text) || text === '') continue
    const known = said.get(id) ?? ''
    // An answer whose end is lost is shown as far as it had arrived.
    expect(text === known || known.startsWith(text), `${id} shows ${text}`).toBe(true)
  }
  for (const [id, text] of intact) if (!id.startsWith('in_') && text !== '') expect(shown.get(id), `${id}`).toBe(text)
}

async function look(sample: Sample, mutation: Mutation): Promise<'whole' | 'with gaps' | 'shorter' | 'nothing left'> {
  const { events } = sample
  const lines = events.map((event) => JSON.stringify(event))
  const store = storeOn(diskWith(sample, mutation))
  const kept = provable(sample, mutation)
  const history = await eventsOf(store)
  if (LoaderError.is(history)) {
    expect([...kept], `${history.message}`).toEqual([])
    return 'nothing left'
  }
  const lost: number[] = []
  for (const [index, event] of history.entries()) {
    expect(event.seq).toBe(index + 1)
    if (event.type !== 'event.lost') expect(JSON.stringify(event)).toBe(lines[index])
    else lost.push(event.seq)
  }
  expect([...kept].filter((seq) => seq > history.length || lost.includes(seq))).toEqual([])
  const state = fold(history) as SessionState
  const { entries, texts } = readAll(history, state)
  requireTruth(sample, history, entries)
  for (const { first } of gapsOf(history))
    for (const text of texts) expect(text).toMatch(new RegExp(`Events? ${first} `))
  const [firstLost = history.length + 1] = lost
  expect(JSON.stringify(stateAt(history, firstLost - 1))).toBe(JSON.stringify(stateAt(events, firstLost - 1)))
  const verification = await store.verify('one')
  // At the end of a journal, newlines are what a write leaves that did not finish.
  const looksTorn = lost.length === 0 && mutation.what.includes('newlines')
  if (lost.length > 0 || (history.length < lines.length && !looksTorn)) expect(verification.intact).toBe(false)
  await requireCopy(sample, mutation, history)
  if (lost.length > 0) return 'with gaps'
  return history.length === lines.length ? 'whole' : 'shorter'
}

/** The copy has all that the reading has, is intact, and goes on. */
async function requireCopy(sample: Sample, mutation: Mutation, history: readonly StoredEvent[]): Promise<void> {
  const store = storeOn(diskWith(sample, mutation))
  const environment = fixedEnvironment()
  const { id } = await store.salvage('one', { environment, as: 'copy' })
  const session = await Session.load(store, id, { environment })
  await session.append({ type: 'session.titled', title: 'Goes on', by: 'user' })
  await session.close()
  const copied = await eventsOf(store, id)
  if (LoaderError.is(copied)) throw copied
  const intact = new Set(copied.map((event) => JSON.stringify(event)))
  for (const event of history) if (event.type !== 'event.lost') expect(intact.has(JSON.stringify(event))).toBe(true)
  readAll(copied, session.state)
  expect(await store.verify(id)).toMatchObject({ intact: true })
}

describe('whatever becomes of a file of a session', () => {
  test.each(kindNames)(
    'every reading shows what is intact, and nothing else: %s',
    { timeout: 3_600_000 },
    async (name) => {
      const sample = await sampleOf(name)
      const random = numbers(kindNames.indexOf(name) + 1)
      const counts = new Map<string, number>()
      for (let index = 0; index < Math.ceil(mutations / kindNames.length); index += 1) {
        const mutation = mutated(sample, random)
        try {
          const outcome = await look(sample, mutation)
          counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
        } catch (error) {
          throw new Error(`${name}, number ${index}: ${mutation.what}`, { cause: error })
        }
      }
      console.log(`${name}: ${Math.ceil(mutations / kindNames.length)} mutations`, counts)
      expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(Math.ceil(mutations / kindNames.length))
    },
  )
})
