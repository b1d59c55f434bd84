import { type Browser, openBrowser, type Page, whyNoBrowser } from '@loader/test-browser'
import { fromCi, sample } from '@loader/test-tier'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit, type Audited } from '../stage/audit.ts'
import { type ExportedPage, exportedPage, recordedEvents } from '../stage/exported-page.ts'

/** Each view with what it must say of the recorded session, which has a killed process and a compaction in it. */
const views: Readonly<Record<string, readonly string[]>> = {
  conversation: [
    'Totals are off by a cent',
    'bash npm test',
    'Cut off. Process',
    'It is unknown whether, and how far, it took effect',
    '31 messages folded into a summary',
  ],
  truth: [
    'It is done: everything that had to hold was shown by checks.',
    'the tests of the project pass',
    'canary',
    'Output',
  ],
  timeline: [
    '5 turns · 23 requests · 22 calls · 26 runs of checks',
    'no process',
    'back to work, because the checks have failed',
  ],
  recovery: [
    '5 processes have written this session',
    'Ended in the middle of a turn.',
    'unknown',
    'Found out later, by ls: nothing had been published',
  ],
  files: ['4 files', 'src/total.js', 'CHANGELOG.md', 'Price list 4'],
  context: ['23 requests, 1 compaction; the window holds 200k tokens.', 'results of calls', '31 messages folded'],
  cost: ['≥ $0.2', 'read from a cache', 'anthropic/claude-sonnet-4-5', 'Allow a discount on a line'],
  state: ['turn.finished', 'Where it stands, and what comes next', 'at rest', 'The event as it is stored'],
}

/** What reaches beyond the page; words of a name that do, in a table that is scrolled; and words beyond their bar. */
const tooWide = `(() => {
  const faults = []
  const wide = document.documentElement.scrollWidth
  if (wide > innerWidth) faults.push('the page has ' + wide + ' pixels')
  for (const name of document.querySelectorAll('.usage-name')) {
    const { width } = name.getBoundingClientRect()
    if (width > innerWidth) faults.push('a name has ' + width + ' pixels')
  }
  const right = Math.max(0, ...[...document.querySelectorAll('.timeline-chart path[class^=bar-]')].map((bar) => bar.getBoundingClientRect().right))
  for (const label of document.querySelectorAll('.bar-label')) {
    const clip = label.parentElement
    const box = (getComputedStyle(clip).overflow === 'hidden' ? clip : label).getBoundingClientRect()
    if (box.right > right + 1) faults.push('words in a bar reach to ' + box.right + ', bars to ' + right)
  }
  return faults
})()`

const skipped = whyNoBrowser ?? (fromCi ? undefined : 'only in CI')

describe.skipIf(skipped !== undefined)(`the page in Chromium${skipped === undefined ? '' : ` (${skipped})`}`, () => {
  let browser: Browser
  let exported: ExportedPage
  beforeAll(async () => {
    browser = await openBrowser()
    exported = exportedPage(recordedEvents('invoices'))
  })
  afterAll(async () => {
    exported[Symbol.dispose]()
    await browser.close()
  })

  interface Look {
    readonly colorScheme?: 'light' | 'dark'
    readonly width?: number
    readonly shown?: ExportedPage
  }

  async function opened(look: Look = {}) {
    const { colorScheme = 'light', width = 1280, shown = exported } = look
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 860 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await page.goto(shown.url)
    await page.locator('main[aria-busy=false]').waitFor()
    return { page, faults, [Symbol.asyncDispose]: () => context.close() }
  }

  async function show(page: Page, view: string): Promise<void> {
    await page.getByRole('navigation').getByRole('link', { name: view, exact: false }).first().click()
    await page.locator(`.view-${view}`).waitFor()
  }

  test('every view says what the session has to tell', async () => {
    await using look = await opened()
    for (const [view, words] of Object.entries(views)) {
      await show(look.page, view)
      // All of the page, as a reader that scrolls comes to see it.
      const text = await textOf(look.page)
      expect({ view, missing: words.filter((word) => !text.includes(word)) }).toEqual({ view, missing: [] })
    }
    expect(look.faults).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'no view has a serious finding of axe, in %s; contrast is 4.5:1',
    async (colorScheme) => {
      await using look = await opened({ colorScheme })
      await look.page.evaluate(axe.source)
      for (const view of sample(Object.keys(views), { quick: 1, ci: 5 })) {
        await show(look.page, view)
        // What is not about colours is the same in both.
        const rules = colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] }
        const { serious, measured } = (await look.page.evaluate(audit(rules))) as Audited
        expect({ view, serious }).toEqual({ view, serious: [] })
        expect(measured).toBeGreaterThan(8)
      }
    },
  )

  test('every view fits into 375 pixels', async () => {
    await using look = await opened({ width: 375 })
    for (const view of Object.keys(views)) {
      await show(look.page, view)
      const wide = await look.page.evaluate('document.documentElement.scrollWidth')
      expect({ view, isTooWide: Number(wide) > 375 }).toEqual({ view, isTooWide: false })
    }
  })

  test.each([375, 1280])('a task of one endless word is in no view wider than %d pixels', async (width) => {
    using shown = exportedPage(
      recordedEvents('invoices').map((event) =>
        event.type === 'input.queued' ? { ...event, text: `Fix ${'wide'.repeat(200)}` } : event,
      ),
    )
    await using look = await opened({ width, shown })
    for (const view of Object.keys(views)) {
      await show(look.page, view)
      const faults = await look.page.evaluate(tooWide)
      expect({ view, faults }).toEqual({ view, faults: [] })
    }
    expect(look.faults).toEqual([])
  })

  test('keys lead through it, and say so', async () => {
    await using look = await opened()
    const { page } = look
    await page.keyboard.press('?')
    await expect.poll(() => page.getByRole('dialog').textContent()).toContain('Next place where it was cut off')
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await expect.poll(() => page.locator('.row.chosen').textContent()).toContain('Cut off.')
    await expect.poll(() => isOnScreen(page, '.row.chosen')).toBe(true)
    await page.keyboard.press('3')
    await page.keyboard.press('j')
    await page.keyboard.press('+')
    await expect.poll(() => page.locator('.details h3').textContent()).not.toBe('')
    await page.keyboard.press('8')
    await page.keyboard.press('Home')
    await expect.poll(() => page.locator('.event-now').textContent()).toContain('session.opened')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.url()).toContain('at=2')
    await page.keyboard.press('#')
    await page.getByRole('dialog').getByRole('spinbutton').fill('118')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.event-now').textContent()).toContain('tool.started')
    await page.goBack()
    await expect.poll(() => page.locator('.event-now').textContent()).toContain('session.claimed')
  })

  test('keys and letters that come at once go to what the one before has opened', async () => {
    await using look = await opened()
    const { page } = look
    // One after the other in the same moment, as from a keyboard that was faster than the screen.
    const type = (keys: readonly string[]) =>
      page.evaluate(`(async () => {
        for (const key of ${JSON.stringify(keys)}) {
          const target = document.activeElement ?? document.body
          target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
          await new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0) })
        }
        return document.activeElement?.id
      })()`)
    await type(['8', 'Home', 'ArrowRight'])
    expect(new URL(page.url()).hash).toMatch(/\/state\?at=2$/)
    await type(['1', 'x', '8', 'Home', 'End', 'ArrowLeft'])
    expect(new URL(page.url()).hash).toMatch(/\/state\?at=291$/)
    // The number would open other views, if it did not go into the field.
    expect(await type(['#', '1', '2'])).toBe('seq')
    expect(new URL(page.url()).hash).toMatch(/\/state\?at=291$/)
    await page.keyboard.press('Escape')
    expect(await type(['1', '/'])).toBe('find')
  })

  test('an event that is linked to is on the screen, wherever in the session it is', async () => {
    await using look = await opened()
    const { page } = look
    for (const seq of [3, 118, 250, 291]) {
      await page.evaluate(`location.hash = location.hash.split('/').slice(0, 3).join('/') + '/conversation?at=${seq}'`)
      await expect.poll(() => isOnScreen(page, '.row.chosen')).toBe(true)
    }
  })
})

/** All that can be read, also what is in the part that is scrolled to: a screen is read when all of it is drawn. */
async function textOf(page: Page): Promise<string> {
  return (await page.evaluate(`(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const isDrawn = () => [...document.querySelectorAll('.section, .chunk')].every((chunk) => {
      const { top, bottom } = chunk.getBoundingClientRect()
      return chunk.childElementCount > 0 || bottom < 0 || top > innerHeight
    })
    const seen = []
    for (let top = 0; top <= document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo(0, top)
      do await frame()
      while (!isDrawn())
      seen.push(document.body.innerText)
    }
    return seen.join('\\n').replace(/\\s+/g, ' ')
  })()`)) as string
}

function isOnScreen(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const box = document.querySelector(${JSON.stringify(selector)})?.getBoundingClientRect()
    return box !== undefined && box.bottom > 0 && box.top < innerHeight
  })()`)
}
