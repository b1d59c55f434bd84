import { type Browser, openBrowser, whyNoBrowser } from '@loader/test-browser'
import { MemoryStore } from '@loader/session-core'
import { fromCi } from '@loader/test-tier'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Standing, StandingQuestion } from '../../src/protocol.ts'
import { actingOn, once, permit, question, storeWith, waiting } from '../stage/acting.ts'
import { audit, type Audited } from '../stage/audit.ts'
import { recordedEvents } from '../stage/exported-page.ts'
import { served } from '../stage/served.ts'
import { resting, sessionsOf } from '../stage/sessions-of.ts'

/** What a stranger would write into one, to be run, to be believed, or to hide what follows. */
const hostile = '<img src=x onerror="ran = 1"> [yes](javascript:ran=1) \u202egnihton seod \u001b[2J\u2066'
const hostileQuestion: StandingQuestion = {
  ...permit,
  questionId: 'q_3',
  title: hostile,
  text: hostile,
  reason: hostile,
  why: hostile,
  choices: [{ letter: 'y', label: hostile, send: once }],
}
const lateQuestion: StandingQuestion = { ...question, questionId: 'q_4', text: 'Which size?' }
const standings = {
  'a permission': waiting,
  'a hostile question': { ...waiting, question: hostileQuestion },
  'a question': { ...waiting, question },
  'a question whose process has ended': { ...waiting, phase: 'cut_off', holder: null, question: lateQuestion },
  'a turn that runs': {
    ...resting,
    phase: 'running',
    turnId: 'turn_1',
    holder: { where: 'elsewhere', words: 'held by loader (process 7 on ada)', takes: true },
    undelivered: [{ request: 'r', kind: 'queue' }],
  },
  'a turn that was cut off': {
    ...resting,
    phase: 'cut_off',
    turnId: 'turn_1',
    trouble: { code: 'no_model', message: 'There is no model. Choose one: loader models' },
  },
} satisfies Record<string, Standing>

const skipped = whyNoBrowser ?? (fromCi ? undefined : 'only in CI')

describe.skipIf(skipped !== undefined)(`what can be done${skipped === undefined ? '' : ` (${skipped})`}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('has no serious finding, contrast of 4.5:1 in light and dark, and room enough at 1280 and 375 pixels', async () => {
    const stage = { standing: waiting as Standing, asked: [] as string[] }
    const store = await storeWith(['ses_invoices', 'ses_other'])
    await using server = await served(store, {
      sessions: sessionsOf(store, '/project', () => stage.standing),
      readOnly: false,
      fleet: true,
      acting: actingOn((name) => stage.asked.push(name)),
    })
    const page = await browser.newPage({ reducedMotion: 'reduce' })
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    const look = async (what: string, within: string) => {
      for (const [colorScheme, width] of looks) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 780 })
        // What is not about colours is the same in both.
        const rules = colorScheme === 'light' ? {} : { runOnly: ['color-contrast', 'target-size'] }
        const { serious, measured } = (await page.evaluate(audit(rules, within))) as Audited
        const isTooWide = Number(await page.evaluate('document.documentElement.scrollWidth')) > width
        expect({ what, colorScheme, serious, isTooWide }).toEqual({ what, colorScheme, serious: [], isTooWide: false })
        expect(measured).toBeGreaterThan(1)
      }
    }
    await page.goto(`${server.origin}/#token=${server.token}&session=ses_invoices`)
    await page.locator('.question').waitFor()
    await page.evaluate(axe.source)
    for (const [what, standing] of Object.entries(standings)) {
      stage.standing = standing
      await page.locator(marks[what as keyof typeof standings]).waitFor()
      await look(what, '.dock')
      const words = await page.locator('.dock').innerText()
      // eslint-disable-next-line no-control-regex
      expect(words).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u001b]/)
      expect(await page.locator('.dock img, .dock a').count()).toBe(0)
      const chip = await page.locator('.session-facts .chip').first().innerText()
      expect({ what, isWaiting: chip === 'waits for you' }).toEqual({
        what,
        isWaiting: what.includes('question') || what.includes('permission'),
      })
    }
    stage.standing = resting
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await page.locator('#composer').fill('Try')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('End it there').waitFor()
    await look('a refusal', '.dock')
    for (const [name, seen] of dialogs) {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('dialog').getByRole('button', { name }).click()
      await page.locator(seen).first().waitFor()
      if (name.test('Take back')) await page.getByRole('dialog').locator('.menu button').first().click()
      if (name.test('Take back')) await page.locator('.foreseen').waitFor()
      await look(String(name), 'dialog')
      await page.keyboard.press('Escape')
      await page.locator('dialog').waitFor({ state: 'detached' })
    }
    await page.keyboard.press('9')
    await page.locator('.compare-choice .session-row').click()
    await page.locator('.compare-figures').waitFor()
    await look('two sessions', 'main')
    await page.evaluate(`location.hash = '#/fleet'`)
    await page.getByText('Let workers take it again').waitFor()
    await look('the fleet', 'html')
    await page.keyboard.press('w')
    await page.getByRole('button', { name: 'New session' }).click()
    await look('a new session', 'dialog')
    expect(stage.asked).toEqual(['send', 'rewind-preview', 'accept-preview'])
    expect(faults).toEqual([])
    expect(await page.evaluate('typeof ran')).toBe('undefined')
    await page.close()
  })

  test('a dialog lies beside the scroll bar of a narrow window, with all that is in it, however long a word of it is', async () => {
    const store = new MemoryStore()
    const events = recordedEvents('invoices').map((event) =>
      event.type === 'input.queued' ? { ...event, text: `Fix ${'wide'.repeat(100)}` } : event,
    )
    const id = events.flatMap((event) => ('id' in event ? [String(event.id)] : []))[0] ?? ''
    await store.restore({ id, events, texts: new Map() })
    await using server = await served(store, { readOnly: false, acting: actingOn(() => {}) })
    const page = await browser.newPage({ viewport: { width: 375, height: 700 }, reducedMotion: 'reduce' })
    await page.goto(`${server.origin}/#token=${server.token}&session=${id}`)
    await page.locator('#composer').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
    await page.locator('dialog .menu button').first().waitFor()
    const beyond = await page.evaluate(`[...document.querySelectorAll('dialog, dialog *')]
      .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth || one.scrollWidth > one.clientWidth && one.matches('button'))
      .map((one) => one.outerHTML.slice(0, 80))`)
    expect(beyond).toEqual([])
    await page.close()
  })

  test('a browser that was asked to tells of a session that waits: once, however many pages there are, and not who sees it anyway', async () => {
    const stage = { standing: resting as Standing }
    const store = await storeWith(['ses_invoices', 'ses_other'])
    await using server = await served(store, {
      sessions: sessionsOf(store, '/project', () => stage.standing),
      readOnly: false,
      acting: actingOn(() => undefined),
    })
    const context = await browser.newContext({ permissions: ['notifications'] })
    // The real ones, counted.
    await context.addInitScript(`{
      const Real = Notification
      window.told = []
      window.Notification = class extends Real {
        constructor(title, options) { super(title, options); window.told.push(options.tag) }
      }
    }`)
    const [session, list, other] = [await context.newPage(), await context.newPage(), await context.newPage()]
    await session.goto(`${server.origin}/#token=${server.token}&session=ses_invoices`)
    await session.getByRole('button', { name: 'More' }).click()
    await session.getByRole('button', { name: 'Tell me when a session waits' }).click()
    await session.getByRole('button', { name: 'Tells you when a session waits' }).waitFor()
    for (const page of [list, other]) {
      await page.goto(`${server.origin}/`)
      await page.locator('.session-row').first().waitFor()
    }
    // A question of another session, which no page shows.
    stage.standing = waiting
    for (const page of [list, other]) await expect.poll(() => page.title(), patience).toContain('wait for you')
    await expect.poll(() => session.title(), patience).toContain('Waits for you')
    const told = async () => (await Promise.all([session, list, other].map((page) => page.evaluate('told')))).flat()
    await expect.poll(told, patience).toEqual(['loader ses_other'])
    await context.close()
  })

  test('where a browser lets no page tell, as on phones, it says so and asks for nothing', async () => {
    const store = await storeWith(['ses_invoices'])
    await using server = await served(store, { readOnly: false, acting: actingOn(() => undefined) })
    const context = await browser.newContext({ viewport: { width: 375, height: 740 } })
    // What the browsers of phones throw.
    await context.addInitScript(`window.Notification = class {
      static permission = 'default'
      static requestPermission() { window.asked = true; return Promise.resolve('granted') }
      constructor() { throw new TypeError('Illegal constructor.') }
    }`)
    const page = await context.newPage()
    await page.goto(`${server.origin}/#token=${server.token}&session=ses_invoices`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Tell me when a session waits' }).click()
    await page.getByText('lets no page do it').waitFor()
    expect(await page.getByRole('button', { name: 'Tell me when a session waits' }).isDisabled()).toBe(true)
    expect(await page.evaluate('typeof asked')).toBe('undefined')
    await context.close()
  })

  test('a wish that fails in the server, or behind what is in front of it, keeps its name; one that is refused gets another', async () => {
    await using server = await served(await storeWith(['ses_invoices']), {
      readOnly: false,
      acting: actingOn(() => {}),
    })
    const page = await browser.newPage()
    const failed = JSON.stringify({ error: { code: 'storage_uncertain', message: 'It may be stored.' } })
    const answers = [
      { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
      { status: 500, contentType: 'application/json', body: failed },
    ]
    const requests: string[] = []
    await page.route('**/api/act/rename', (route) => {
      requests.push((route.request().postDataJSON() as { request: string }).request)
      const answer = answers.shift()
      return answer === undefined ? route.continue() : route.fulfill(answer)
    })
    await page.goto(`${server.origin}/#token=${server.token}&session=ses_invoices`)
    await page.locator('#composer').waitFor()
    await page.keyboard.press('m')
    await page.getByRole('button', { name: /^Rename/ }).click()
    await page.locator('#title').fill('Another title')
    for (const words of ['not known whether it has this', 'It may be stored', 'End it there', 'End it there']) {
      await page.locator('dialog .main').click()
      await page.locator('dialog .act-failure').getByText(words).waitFor()
      await page.locator('dialog .main:not([disabled])').waitFor()
    }
    const [first, ...more] = requests.slice(0, 3)
    expect(more).toEqual([first, first])
    await expect.poll(() => requests.length).toBe(4)
    expect(requests[3]).not.toBe(first)
    await page.close()
  })

  test('drafts outlive a reload and stay with their session; words that were stored go, however that became known', async () => {
    const store = await storeWith(['ses_invoices', 'ses_other'])
    await using server = await served(store, { readOnly: false, acting: actingOn(() => undefined) })
    const page = await browser.newPage()
    const draft = page.locator('#composer')
    await page.goto(`${server.origin}/#token=${server.token}&session=ses_invoices`)
    await draft.fill('Words for the invoices')
    await page.evaluate(`location.hash = '#/s/ses_other'`)
    await expect.poll(() => draft.inputValue()).toBe('')
    await draft.fill('Words for the other one')
    await page.reload()
    await expect.poll(() => draft.inputValue()).toBe('Words for the other one')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('End it there').waitFor()
    // It was refused, so it is still there.
    expect(await draft.inputValue()).toBe('Words for the other one')
    await page.evaluate(`location.hash = '#/s/ses_invoices'`)
    await expect.poll(() => draft.inputValue()).toBe('Words for the invoices')
    await page.close()
  })
})

const patience = { timeout: 30_000 }

const looks = [
  ['light', 1280],
  ['dark', 375],
] as const

/** What shows that the page has heard how it stands. */
const marks: Readonly<Record<keyof typeof standings, string>> = {
  'a permission': '.question .deny',
  'a hostile question': '.question h3:has-text("<img")',
  'a question': '.question .with-button',
  'a question whose process has ended': '.question:has-text("process that asked has ended")',
  'a turn that runs': '.composer .stop',
  'a turn that was cut off': '.dock-card.tone-warn',
}

const dialogs: readonly (readonly [name: RegExp, seen: string])[] = [
  [/^Rename/, '#title'],
  [/^Fork/, '#title'],
  [/^Take back/, 'dialog .menu'],
  [/^Accept/, '.accept-patch'],
  [/^Export/, 'dialog .menu'],
]
