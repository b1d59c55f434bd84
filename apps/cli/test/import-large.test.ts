import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseSource, readSource } from '@loader/foreign-sessions'
import { fold, isSessionEvent, readSession, type History, Session } from '@loader/session-core'
import { fixedEnvironment, temporaryWorkspace } from '@loader/test-harness'
import { sample, tier } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { loader } from './written/fake-console.ts'
import { imported, saidIn } from './written/foreign.ts'
import { type LargeKind, largeKinds, writeLargeSession } from './written/large-session.ts'
import { storeIn } from './written/store-in.ts'

const megabytes = 50
/**
 * In MB, how large the heap may become: too small for the texts together with what the command needs anyway. What Gemini wrote
 * may be changed by a later line, so the shape of the whole conversation is in memory, without its texts.
 */
const heapFor = (kind: LargeKind) => (kind.startsWith('gemini') ? 96 : 64)
/** In MB, with what is outside of the heap, for the command as it is built. */
const most = 250

const built = fileURLToPath(new URL('../dist/loader.js', import.meta.url))
const tellPeak = 'data:text/javascript,process.on("exit",()=>console.error(`peak ${process.resourceUsage().maxRSS}`))'

const foreignKind = (kind: LargeKind) => (kind === 'gemini-document' ? 'gemini' : kind)

describe(`a file of ${megabytes} MB that is all conversation`, () => {
  test.each(sample(largeKinds, { quick: 1, ci: 2 }))(
    'of %s is imported without its texts in memory together',
    { timeout: 600_000 },
    async (kind) => {
      await using workspace = await temporaryWorkspace()
      const path = workspace.path('large.jsonl')
      const turns = writeLargeSession(path, kind, megabytes)
      const heap = `--max-old-space-size=${heapFor(kind)}`
      const words = ['import', path, '--json', '-C', workspace.root]
      const ended = spawnSync(process.execPath, [heap, '--import', tellPeak, built, ...words], { encoding: 'utf8' })
      const peak = Math.round(Number(/peak (\d+)/.exec(ended.stderr)?.[1]) / 1024)
      if (tier === 'long') console.log(`${kind}, ${megabytes} MB: ${peak} MB of memory`)
      expect(ended).toMatchObject({ status: 0, signal: null })
      expect(JSON.parse(ended.stdout)).toMatchObject({ turns })
      expect(peak).toBeLessThan(most)
    },
  )
})

describe('texts that were out of memory meanwhile', () => {
  test.each(largeKinds)('stand in the session of %s as they stand in the file', async (kind) => {
    await using workspace = await temporaryWorkspace()
    const path = workspace.path('session.jsonl')
    writeLargeSession(path, kind, 0.5)
    const { out } = await loader(['import', path, '--json'], { folder: workspace.root })
    const { id } = JSON.parse(out)
    const store = storeIn(workspace.root)
    const { history } = await readSession(store, id)
    const whole = imported(foreignKind(kind), readSource(path))
    expect(saidIn({ events: history as typeof whole.events })).toEqual(saidIn(whole))
    expect(resultsIn(history)).toEqual(resultsIn(whole.events))
    expect(resultsIn(whole.events).join('').length).toBeGreaterThan(50_000)
    // The head was made of references as well.
    await using session = await Session.load(store, id, { environment: fixedEnvironment() })
    const { history: all } = await readSession(store, id)
    expect(JSON.stringify(session.state)).toBe(JSON.stringify(fold(all)))
    expect(await store.verify(id)).toMatchObject({ intact: true, findings: [] })
  })
})

function resultsIn(events: History): unknown[] {
  return events.flatMap((event) => (isSessionEvent(event) && event.type === 'tool.finished' ? [event.text] : []))
}

test.each(['codex', 'claude', 'pi'] as const)(
  'a file of %s that changes while it is read is not imported',
  async (kind) => {
    await using workspace = await temporaryWorkspace()
    const path = workspace.path('session.jsonl')
    writeLargeSession(path, kind, 0.1)
    const file = readSource(path)
    const changed = { ...file, bytesBetween: (from: number, to: number) => Buffer.alloc(to - from, ' ') }
    expect(() => parseSource(kind, changed)).toThrow('was changed while it was read. Nothing was imported')
  },
)
