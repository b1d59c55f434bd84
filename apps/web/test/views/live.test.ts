import { type Browser, openBrowser, type Page, whyNoBrowser } from '@loader/test-browser'
import { type Environment, type EventInput, MemoryStore, Session } from '@loader/session-core'
import { fromCi, tier } from '@loader/test-tier'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionWithAgents, type TestAgent } from '../stage/agents-of.ts'
import { recordedEvents } from '../stage/exported-page.ts'
import { served } from '../stage/served.ts'
import { audit, type Audited } from '../stage/audit.ts'
import { resting, sessionsOf } from '../stage/sessions-of.ts'

const skipped = whyNoBrowser ?? (fromCi ? undefined : 'only in CI')

/** Times that go on by a tenth of a second, and ids that are never the same. */
function ticking(): Environment {
  let ticks = 0
  return {
    now: () => new Date(Date.parse('2026-01-01T00:00:00.000Z') + 100 * ticks++).toISOString(),
    newId: (prefix: string) => `${prefix}_${ticks++}`,
  }
}

describe.skipIf(skipped !== undefined)(`a page that follows${skipped === undefined ? '' : ` (${skipped})`}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)(
    'the list says how each session stands, and has no serious finding, in %s at %i pixels',
    async (colorScheme, width) => {
      const store = new MemoryStore()
      const events = recordedEvents('invoices')
      await store.restore({ id: events[0] && 'id' in events[0] ? String(events[0].id) : '', events, texts: new Map() })
      const other = await Session.open(store, { environment: ticking(), title: 'Another one' })
      await using server = await served(store)
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
      const page = await context.newPage()
      await page.goto(`${server.origin}/#token=${server.token}`)
      await page.getByText('Another one').waitFor()
      const text = await page.evaluate<string>('document.body.innerText')
      for (const word of ['Totals are off by a cent', 'verified', '5 turns', '154k tokens'])
        expect(text).toContain(word)
      await page.evaluate(axe.source)
      const { serious, measured } = (await page.evaluate(audit({}))) as Audited
      expect(serious).toEqual([])
      expect(measured).toBeGreaterThan(5)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.locator('.tabs').waitFor()
      await page.keyboard.press('u')
      await page.getByText('Another one').waitFor()
      await other.close()
      await context.close()
    },
  )

  test('an answer is shown while it arrives, and once when it is there', async () => {
    const store = new MemoryStore()
    const session = await Session.open(store, { environment: ticking(), title: 'Live' })
    await using server = await served(store)
    const page = await openSession(browser, server, session.id)
    await session.append(asking(1))
    await session.append(pieces(1, 0, 3))
    await expect.poll(() => page.locator('.arriving').textContent()).toContain('word 2 of answer 1')
    await session.append(answer(1, 3))
    await expect.poll(() => page.locator('.arriving').count()).toBe(0)
    await expect.poll(() => page.locator('.message.by-model').allTextContents()).toHaveLength(1)
    expect(await page.locator('main').innerText()).toMatch(
      /^(?:(?!word 2 of answer 1)[^])*word 2 of answer 1(?:(?!word 2 of answer 1)[^])*$/,
    )
    await session.close()
    await page.close()
  })

  test('the agents of a session are a tree, from which one comes to each of them and back', async () => {
    const store = new MemoryStore()
    await sessionWithAgents(store, { id: 'ses_whole', title: 'Split it', agents: someAgents }, ticking())
    const sessions = sessionsOf(store, '/project', () => ({ ...resting, phase: 'running' }))
    await using server = await served(store, { sessions })
    const look = { colorScheme: 'dark', viewport: { width: 375, height: 800 }, reducedMotion: 'reduce' } as const
    const context = await browser.newContext(look)
    const page = await context.newPage()
    await page.goto(`${server.origin}/#token=${server.token}&session=ses_whole`)
    const summary = page.locator('.agents summary')
    await expect
      .poll(() => summary.textContent())
      .toBe('4 agents 1 finished · 1 stopped · 1 unknown · 1 working · 4k tokens · ≥ $0.0500')
    await summary.press('Enter')
    const inner = page.getByRole('list', { name: 'Agents of: Mend the parser', exact: true })
    await inner.waitFor()
    const tree = page.getByRole('list', { name: 'Agents of this session' })
    const words = (await tree.innerText()).replaceAll(/\s+/g, ' ')
    expect(words).toMatch(
      /^finished Mend the parser verified mender · works in a copy · 2k tokens · \$0\.0250 · 1 file changed: src\/parse\.ts #\d+ Not taken over, because the folder has another version: src\/index\.ts finished Read the grammar only looks · 1k tokens · \$0\.0125 stopped Read the tests/,
    )
    expect(words).toMatch(/working Count the lines only looks · cost not known yet #\d+$/)
    await page.evaluate(axe.source)
    const { serious, measured } = (await page.evaluate(audit({}, '.session'))) as Audited
    expect({ serious, isMeasured: measured > 8 }).toEqual({ serious: [], isMeasured: true })
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await inner.getByRole('link', { name: 'Read the grammar' }).press('Enter')
    for (const id of ['ses_grammar', 'ses_parser', 'ses_whole']) {
      await expect.poll(() => new URL(page.url()).hash).toContain(`/s/${id}/`)
      if (id !== 'ses_whole') await page.getByRole('link', { name: 'another session' }).press('Enter')
    }
    // What each has used, and the sum: of what works on, nothing is known yet.
    await expect.poll(() => page.locator('.session-facts').textContent()).toContain('≥ $0.0625')
    await page.getByRole('link', { name: 'Cost' }).press('Enter')
    await page.locator('.view-cost table').first().waitFor()
    const costs = await page.locator('.view-cost table').first().locator('tbody tr').allInnerTexts()
    expect(costs.map((row) => row.split(/\s*[\n\t]\s*/)).map((row) => [row[0], row[1]])).toEqual([
      ['the session itself', '$0.0125'],
      ['Mend the parser', '$0.0250'],
      ['Read the tests', '$0.0125'],
      [expect.stringContaining('Search the history'), '$0.0125'],
      ['Count the lines', 'not known yet'],
      ['all that is known', '≥ $0.0625'],
    ])
    expect(await page.locator('.view-cost .facts .big').innerText()).toBe('≥ $0.0625')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.locator('.view-cost').getByRole('link', { name: 'Mend the parser' }).press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toContain('/s/ses_parser/')
    await page.getByRole('link', { name: 'another session' }).press('Enter')
    await page.getByRole('link', { name: 'Timeline' }).first().press('Enter')
    await expect
      .poll(() => page.locator('.agent-news p').allTextContents())
      .toContainEqual(expect.stringContaining('agent "Mend the parser" has begun'))
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await context.close()
  })

  /**
   * As many events as half an hour of an agent that talks without a pause. What a page keeps of a session is about as large
   * as its events are as text, and nothing of it is kept once one has left.
   */
  test.runIf(tier === 'long')(
    'half an hour of streaming costs the page what its events are, and nothing after it',
    async () => {
      const store = new MemoryStore()
      const session = await Session.open(store, { environment: ticking(), title: 'Live' })
      await using server = await served(store)
      const page = await openSession(browser, server, session.id)
      const [turns, words] = [600, 60]
      const sizes: { heap: number; bytes: number; nodes: number }[] = []
      let bytes = 0
      for (let turn = 1; turn <= turns; turn += 1) {
        for (const events of [asking(turn), ...inParts(pieces(turn, 0, words), 10), answer(turn, words)]) {
          bytes += JSON.stringify(events).length
          await session.append(events)
        }
        if (turn % (turns / 6) !== 0) continue
        await expect.poll(() => page.locator('main').innerText()).toContain(`word ${words - 1} of answer ${turn}`)
        sizes.push({ ...(await sizeOf(page)), bytes })
      }
      await page.keyboard.press('u')
      await page.locator('.session-row').waitFor()
      const left = await sizeOf(page)
      const [first, last] = [sizes[0], sizes.at(-1)]
      const megabytes = (size: number | undefined) => `${((size ?? 0) / 1e6).toFixed(1)} MB`
      console.log(
        `heap: ${sizes.map(({ heap }) => megabytes(heap)).join(', ')}; left: ${megabytes(left.heap)}; events: ${megabytes(bytes)}`,
      )
      expect(last?.nodes).toBeLessThan(2 * (first?.nodes ?? 0) + turns * 4)
      const grown = (last?.heap ?? 0) - (first?.heap ?? 0)
      expect(grown / ((last?.bytes ?? 1) - (first?.bytes ?? 0))).toBeLessThan(1.8)
      expect(left.heap - (first?.heap ?? 0)).toBeLessThan(1_000_000)
      await session.close()
      await page.close()
    },
  )
})

const someAgents: readonly TestAgent[] = [
  {
    id: 'ses_parser',
    title: 'Mend the parser',
    kind: 'mender',
    outcome: 'ok',
    verdict: 'verified',
    taken: ['src/parse.ts'],
    conflicts: ['src/index.ts'],
    agents: [{ id: 'ses_grammar', title: 'Read the grammar', outcome: 'ok' }],
  },
  { id: 'ses_tests', title: 'Read the tests', outcome: 'interrupted' },
  { id: 'ses_lost', title: `Search the history ${'of_it_'.repeat(20)}`, outcome: 'unknown' },
  { id: 'ses_lines', title: 'Count the lines' },
]

async function openSession(browser: Browser, server: { origin: string; token: string }, id: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${server.origin}/#token=${server.token}`)
  await page.getByText('Live').first().click()
  await page.locator('.tabs').waitFor()
  expect(page.url()).toContain(id)
  return page
}

function asking(turn: number): EventInput[] {
  return [
    { type: 'input.queued', inputId: `in_${turn}`, text: `Question ${turn}` },
    { type: 'turn.started', turnId: `turn_${turn}`, inputId: `in_${turn}` },
    { type: 'model.asked', requestId: `req_${turn}`, purpose: 'answer', attempt: 1, model: 'test/model' },
  ]
}

function pieces(turn: number, from: number, to: number): EventInput[] {
  return Array.from({ length: to - from }, (_, index) => ({
    type: 'answer.progressed',
    requestId: `req_${turn}`,
    text: `word ${from + index} of answer ${turn} `,
  }))
}

function answer(turn: number, words: number): EventInput[] {
  const text = Array.from({ length: words }, (_, index) => `word ${index} of answer ${turn} `).join('')
  return [
    { type: 'model.answered', requestId: `req_${turn}`, content: [{ type: 'text', text }], finishReason: 'stop' },
    { type: 'turn.finished', turnId: `turn_${turn}`, reason: 'turn_complete', responseId: `req_${turn}` },
  ]
}

function inParts(events: readonly EventInput[], length: number): EventInput[][] {
  return Array.from({ length: Math.ceil(events.length / length) }, (_, index) =>
    events.slice(index * length, (index + 1) * length),
  )
}

/** The heap behind a collection, and the elements of the page. */
async function sizeOf(page: Page): Promise<{ readonly heap: number; readonly nodes: number }> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('HeapProfiler.collectGarbage')
  const { usedSize } = await protocol.send('Runtime.getHeapUsage')
  await protocol.detach()
  return { heap: usedSize, nodes: Number(await page.evaluate(`document.querySelectorAll('*').length`)) }
}
