import { type Browser, openBrowser, type Page, whyNoBrowser } from '@loader/test-browser'
import { fromCi } from '@loader/test-tier'
import { afterAll, beforeAll, expect, describe, test } from 'vitest'
import { actNames } from '../../src/acts.ts'
import type { ActName, Standing } from '../../src/protocol.ts'
import { actingOn, type Answers, permit, previews, question, storeWith, waiting } from '../stage/acting.ts'
import { served } from '../stage/served.ts'
import { resting, sessionsOf } from '../stage/sessions-of.ts'

const skipped = whyNoBrowser ?? (fromCi ? undefined : 'only in CI')
const patience = { timeout: 30_000 }

const stored = { session: 'ses_invoices', state: 'recorded' } as const
/** Everything is done, so that the page goes on. */
const answers: Answers = {
  ...previews,
  send: { ...stored, inputId: 'in_1' },
  queue: { ...stored, inputId: 'in_2' },
  stop: stored,
  continue: stored,
  answer: stored,
  rename: stored,
  fork: { ...stored, from: { id: 'ses_invoices', seq: 1 } },
  accept: { ...stored, result: previews['accept-preview'].preview },
  rewind: { ...stored, result: previews['rewind-preview'].preview },
  unpark: stored,
}

const running: Standing = { ...resting, phase: 'running', holder: { where: 'here' }, turnId: 'turn_1' }
const another = { ...permit, questionId: 'q_3', title: 'Run a command', tool: 'bash', text: 'npm test' }

describe.skipIf(skipped !== undefined)(`by keys alone${skipped === undefined ? '' : ` (${skipped})`}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('every act is done, on things that a screen reader can name, and what has the focus can be seen', async () => {
    const stage = { standing: resting as Standing }
    const asked: (readonly [name: ActName, body: unknown])[] = []
    const store = await storeWith(['ses_invoices', 'ses_other'])
    await using server = await served(store, {
      sessions: sessionsOf(store, '/project', () => stage.standing),
      readOnly: false,
      fleet: true,
      acting: actingOn((name, body) => asked.push([name, body]), answers),
    })
    const context = await browser.newContext({
      permissions: ['notifications', 'clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
    })
    await context.addInitScript(`addEventListener('pointerdown', () => { globalThis.pointed = true }, true)`)
    const page = await context.newPage()
    const { keyboard } = page
    const { focused, reach, take } = keysOn(page)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    let heard = 0
    const asks = async (name: ActName, body: object = {}) => {
      await expect.poll(() => asked[heard]?.[0], patience).toBe(name)
      expect(asked[heard]?.[1]).toMatchObject(body)
      heard += 1
    }
    const write = async (label: string, words: string) => {
      await keyboard.press('i')
      await focused('textbox', label)
      await keyboard.type(words)
      await keyboard.press('Enter')
    }
    /** Lets go of the field, once what was written in it is stored. */
    const leave = async () => {
      await expect.poll(() => page.locator('#composer').inputValue(), patience).toBe('')
      await keyboard.press('Escape')
    }
    const asking = (heading: string) =>
      page.locator('.question.still').getByRole('heading', { name: heading }).waitFor(patience)
    const closed = () => page.locator('dialog').waitFor({ ...patience, state: 'detached' })

    await page.goto(`${server.origin}/#token=${server.token}&session=ses_invoices`)
    await page.getByRole('button', { name: 'Send' }).waitFor(patience)
    await write('What shall be done', 'Try')
    await asks('send', { session: 'ses_invoices', text: 'Try' })
    await leave()

    stage.standing = running
    await page.getByRole('button', { name: 'Stop' }).waitFor(patience)
    await write('Words for the turn that runs', 'And hurry')
    await asks('queue', { text: 'And hurry' })
    await leave()
    await keyboard.press('.')
    await asks('stop', { turnId: 'turn_1' })

    stage.standing = { ...resting, phase: 'cut_off', turnId: 'turn_1' }
    await page.getByRole('button', { name: 'Go on' }).waitFor(patience)
    await take('button', 'Go on')
    await asks('continue')

    stage.standing = { ...waiting, question }
    await asking('A question')
    await reach('textbox', 'Or in other words')
    await keyboard.type('Green')
    await keyboard.press('Enter')
    await asks('answer', { questionId: 'q_2', answer: { kind: 'words', words: 'Green' } })
    stage.standing = waiting
    await asking('Edit a file? (edit)')
    await keyboard.press('n')
    await focused('textbox', 'Why not?')
    await keyboard.type('Use b.txt')
    await keyboard.press('Enter')
    await asks('answer', { questionId: 'q_1', answer: { permit: 'deny', words: 'Use b.txt' } })
    stage.standing = { ...waiting, question: another }
    await asking('Run a command? (bash)')
    await keyboard.press('y')
    await asks('answer', { questionId: 'q_3', answer: { permit: 'allow', scope: 'once' } })
    stage.standing = resting
    await page.getByRole('button', { name: 'Send' }).waitFor(patience)

    /** What the menu has, and what is done after it was chosen there. */
    const walks: Readonly<Record<string, () => Promise<unknown>>> = {
      async Rename() {
        await focused('textbox', 'Title')
        await keyboard.press('Control+a')
        await keyboard.type('By keys')
        await keyboard.press('Enter')
        await asks('rename', { title: 'By keys' })
      },
      async Fork() {
        await focused('textbox', 'Title')
        await keyboard.type('The other way')
        await keyboard.press('Enter')
        await asks('fork', { title: 'The other way' })
      },
      async 'Take back'() {
        await take('button', /1 turn back/)
        await asks('rewind-preview')
        await take('button', 'Take back 1 turn')
        await asks('rewind', { token: 't', files: true })
        // The words of the turn are there again.
        await focused('textbox', 'What shall be done')
        await keyboard.press('Escape')
      },
      async Accept() {
        await asks('accept-preview')
        await take('button', 'Accept them as they are')
        await asks('accept', { token: 't' })
        await page.locator('.view-truth').waitFor(patience)
        await keyboard.press('1')
        await page.locator('.view-conversation').waitFor(patience)
      },
      async Compare() {
        await take('link', await page.locator('.compare-choice .session-row-title').innerText(patience))
        await page.locator('.compare-figures').waitFor(patience)
        await keyboard.press('1')
        await page.locator('.view-conversation').waitFor(patience)
      },
      async 'Copy a link'() {
        await page.getByRole('dialog').getByText('Copied.').waitFor(patience)
        expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`${server.origin}/#`)
        await keyboard.press('Escape')
      },
      async Export() {
        const file = page.waitForEvent('download', patience)
        await take('button', 'Markdown')
        expect((await file).suggestedFilename()).toBe('ses_invoices.md')
        await keyboard.press('Escape')
      },
      async 'Tell me when a session waits'() {
        await page.getByRole('button', { name: 'Tells you when a session waits', pressed: true }).waitFor(patience)
        await keyboard.press('Escape')
      },
    }
    await keyboard.press('m')
    await page.locator('dialog .menu button').first().waitFor(patience)
    expect(await page.locator('dialog .menu strong').allInnerTexts()).toEqual(Object.keys(walks))
    await keyboard.press('Escape')
    for (const [name, walk] of Object.entries(walks)) {
      await closed()
      await keyboard.press('m')
      await take('button', new RegExp(`^${name}`))
      await walk()
    }

    await closed()
    await keyboard.press('u')
    await page.getByRole('button', { name: 'New session' }).waitFor(patience)
    await keyboard.press('c')
    await focused('textbox', 'What shall be done?')
    await keyboard.type('Count to many')
    await reach('checkbox', 'A worker does it')
    await keyboard.press('Space')
    await take('button', 'Begin')
    await asks('send', { project: '/project', text: 'Count to many', to: 'fleet' })
    await page.locator('.view-conversation').waitFor(patience)
    await closed()
    await keyboard.press('u')
    await page.getByRole('link', { name: 'Fleet' }).waitFor(patience)
    await keyboard.press('w')
    await page.getByRole('button', { name: 'Let workers take it again' }).waitFor(patience)
    await take('button', 'Let workers take it again')
    await asks('unpark', { session: 'ses_1' })

    // An act that is new to the page needs a way to it that this test goes.
    expect(new Set(asked.map(([name]) => name))).toEqual(new Set(actNames))
    expect(heard).toBe(asked.length)
    expect(await page.evaluate('typeof pointed')).toBe('undefined')
    expect(faults).toEqual([])
    await context.close()
  }, 60_000)
})

type Role = Parameters<Page['getByRole']>[0]

/** Goes about a page as somebody does who has no pointer. */
function keysOn(page: Page) {
  const has = async (role: Role, name: string | RegExp) =>
    (await page.getByRole(role, { name }).and(page.locator(':focus')).count()) === 1
  const focused = async (role: Role, name: string | RegExp) => {
    await expect.poll(() => has(role, name), patience).toBe(true)
    await expect.poll(() => page.evaluate(isSeen), patience).toBe(true)
  }
  /** By Tab, as far as it takes. */
  const reach = async (role: Role, name: string | RegExp) => {
    const oneFurther = async () => {
      if (await has(role, name)) return true
      await page.keyboard.press('Tab')
      return has(role, name)
    }
    await expect.poll(oneFurther, { ...patience, interval: 10 }).toBe(true)
    await focused(role, name)
  }
  const take = async (role: Role, name: string | RegExp) => {
    await reach(role, name)
    await page.keyboard.press('Enter')
  }
  return { focused, reach, take }
}

/** Whether what has the focus is in view, with a line around it. */
const isSeen = `(() => {
  const { activeElement: it } = document
  const { outlineStyle, outlineWidth } = getComputedStyle(it)
  const { top, bottom, width, height } = it.getBoundingClientRect()
  const isInView = width > 0 && height > 0 && bottom > 0 && top < innerHeight
  return isInView && it.matches(':focus-visible') && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
})()`
