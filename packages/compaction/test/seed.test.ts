import { beforeEach, expect, test } from 'vitest'
import { MemoryStore, readSession, Session, textOf, transcript } from '@loader/session-core'
import { fixedEnvironment } from '@loader/test-harness'
import { compactLocally, planCompaction, type PlanOptions, shouldCompact } from '../src/index.ts'
import { policyWith } from './policy.ts'

const kept = ['Focus on sessions', 'Compaction design drafted', 'Preserve the latest four messages', 'Ready to compact']

let store: MemoryStore
let session: Session

beforeEach(async () => {
  store = new MemoryStore()
  session = await Session.open(store, { environment: fixedEnvironment() })
  await session.append(policyWith({ limits: { compactAtTokens: 1, keepLastMessages: 4 } }))
})

test('compaction persists summary and recent messages', async () => {
  // Two messages of a few words are shorter than any summary of them, so the first two bring something to fold.
  const material = '\nsrc/runtime/audit.py line 12: the owner is written twice'.repeat(40)
  await expectCompacted([`Kick off runtime audit${material}`, `Initial findings${material}`, ...kept])
})

test('a window of a few words is compacted only where nothing need be gained', async () => {
  const words = ['Kick off runtime audit', 'Initial findings', ...kept]
  await importMessages(words)
  expect(shouldCompact(session.state)).toMatchObject({ need: 'compact', why: 'threshold', threshold: 1 })
  expect(planCompaction(session.state)).toBeNull()
  await expectCompacted([], { minimumGain: -1 })
})

async function expectCompacted(texts: readonly string[], options: PlanOptions = {}): Promise<void> {
  await importMessages(texts)
  const before = session.state.messages.toArray()
  expect(before).toHaveLength(6)
  expect(shouldCompact(session.state)).toMatchObject({ need: 'compact', why: 'threshold', threshold: 1 })

  const plan = planCompaction(session.state, options)
  if (plan === null) throw new Error('there is something to fold')
  await session.append(compactLocally(session.state, plan, { messageId: session.environment.newId('sum'), ...options }))
  await session.save()
  await session.close()

  const reloaded = await Session.load(store, session.id, { environment: fixedEnvironment() })
  const window = reloaded.state.messages.toArray()
  expect(reloaded.state.compaction).toMatchObject({ count: 1, method: 'local', removed: 2 })
  expect(window).toHaveLength(5)
  const summary = textOf(window[0]?.content ?? [])
  expect(summary.startsWith('[COMPACTED CONTEXT]')).toBe(true)
  expect(summary).toContain('Continuation instructions:')
  expect(window.slice(-4).map(({ content }) => textOf(content))).toEqual(kept)
  // What has left the window is still there to be read.
  const { history } = await readSession(store, session.id)
  expect(
    transcript(history)
      .filter(({ standing }) => standing === 'folded')
      .map(({ message }) => message),
  ).toEqual(before.slice(0, 2))
}

async function importMessages(texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return
  const messages = texts.map((text, index) => ({
    id: `message_${index}`,
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    origin: 'import' as const,
    content: [{ type: 'text' as const, text }],
    at: session.environment.now(),
  }))
  await session.append({ type: 'session.imported', source: { kind: 'test' }, messages })
}
