import { readFileSync } from 'node:fs'
import { call, line } from '@loader/test-harness'
import { type Browser, openBrowser, type Page, whyNoBrowser } from '@loader/test-browser'
import { fromCi } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Stage, stage } from './stage/stage.ts'
import { webOf } from './stage/web-of.ts'

const here = whyNoBrowser === undefined ? '' : ` (${whyNoBrowser})`
const token = 'the-token-of-this-test-0123456789'
const environment = { LOADER_WEB_TOKEN: token }
const slow = { chunks: 'word', fault: { type: 'drip', delayMs: 25 } } as const
const patience = { timeout: 30_000 }

const counted = (word: string, length = 120) => Array.from({ length }, (_, index) => `${word}${index + 1}.`)

describe.runIf(whyNoBrowser === undefined && fromCi)(`acting in Chromium${here}`, { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('a server that is killed in the middle of an answer loses nothing, and nothing is shown or done twice', async () => {
    const [begun, finished] = [counted('begun', 80), counted('finished', 20)]
    await using one = await stage({ ...line(begun.join(' ')), ...slow }, line(`${finished.join(' ')} And goodbye.`))
    const web = await webOf(one, ['--port', '0'], environment)
    const page = await browser.newPage()
    await page.goto(web.address)
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByLabel('What shall be done?').fill('Count to many.')
    await page.getByRole('button', { name: 'Begin' }).click()
    await expect.poll(() => wordsOn(page), patience).toContain('begun5.')
    await page.getByLabel('Words for the turn that runs').fill('Then say goodbye.')
    await page.getByRole('button', { name: 'Queue' }).click()
    await page.locator('.message.waiting').getByText('Then say goodbye.').waitFor(patience)
    await page.locator('#composer').fill('A thought that is not finished')
    web.running.process.kill('SIGKILL')
    await web.running.ended
    await page.getByText('No connection since').waitFor(patience)

    await webOf(one, ['--port', new URL(web.origin).port], environment)
    await page.reload()
    // The words that have come, those that wait, and those that were never sent.
    await page.getByText('It was cut off.').waitFor(patience)
    const partly = await wordsOn(page)
    for (const words of ['Count to many.', 'begun5.', 'Then say goodbye.', 'waits for its turn']) {
      expect(partly).toContain(words)
    }
    expect(partly).not.toContain('begun80.')
    expect(await page.locator('#composer').inputValue()).toBe('A thought that is not finished')

    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('And goodbye.').waitFor(patience)
    await expect.poll(() => page.locator('.session-facts').innerText(), patience).toContain('resting')
    // What is not at the end of the page is drawn in the next frames.
    const kept = begun.filter((word) => partly.includes(word))
    const main = page.locator('main')
    await expect.poll(async () => timesIn(await main.innerText(), kept), patience).toEqual([])
    const whole = await main.innerText()
    expect(whole).not.toContain('It was cut off.')
    expect(whole).toContain('Cut off. Process')
    expect(timesIn(whole, ['Count to many.', 'Then say goodbye.', 'And goodbye.', ...finished])).toEqual([])
    expect(await page.locator('#composer').inputValue()).toBe('A thought that is not finished')
    await page.close()
  })

  test('of two windows one answers, and the other says who did; it was durable before it was shown', async () => {
    await using one = await stage(
      line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })),
      line('There it is.'),
    )
    const web = await webOf(one, ['--port', '0', '--permission-mode', 'prompt'], environment)
    const first = await begin(browser, web.address, 'Create a.txt')
    const second = await (await browser.newContext({ viewport: { width: 375, height: 740 } })).newPage()
    await second.goto(web.address)
    await second.getByText('Create a.txt').first().click()
    for (const page of [first, second]) await page.locator('.question.still').waitFor(patience)
    await second.getByRole('button', { name: 'yes, this once' }).click()
    await first.getByText('Allowed, this once in another browser window.').waitFor(patience)
    await second.getByText('Allowed, this once by you, here.').waitFor(patience)
    await first.getByText('There it is.').waitFor(patience)
    expect(readFileSync(one.path('a.txt'), 'utf8')).toBe('a\n')
    const [row] = await one.sessions()
    const { history } = await one.session(row?.id ?? '')
    expect(history.filter(({ type }) => type === 'question.answered')).toHaveLength(1)
    await Promise.all([first.close(), second.close()])
  })

  test('a key or a click that was meant for something else answers nothing', async () => {
    await using one = await stage(
      line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })),
      line('Then not.'),
    )
    const web = await webOf(one, ['--port', '0', '--permission-mode', 'prompt'], environment)
    const page = await begin(browser, web.address, 'Create a.txt')
    // Somebody who types on, and does not look.
    await page.locator('.question').waitFor(patience)
    const yes = page.getByRole('button', { name: 'yes, this once' })
    await page.evaluate(`(() => {
      const asked = document.querySelector('.question button.main')
      asked.click()
      for (const key of 'yes yes') document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    })()`)
    await page.locator('.question.still').waitFor(patience)
    await page.keyboard.type('yellow')
    expect(await yes.isEnabled()).toBe(true)
    await page.keyboard.press('Escape')
    const [row] = await one.sessions()
    expect((await one.session(row?.id ?? '')).history.map(({ type }) => type)).not.toContain('question.answered')
    await page.getByLabel('Why not?').fill('Use b.txt')
    await page.keyboard.press('Enter')
    await page.getByText('Then not.').waitFor(patience)
    const { history } = await one.session(row?.id ?? '')
    expect(history.find(({ type }) => type === 'question.answered')).toMatchObject({
      permit: 'deny',
      answer: 'Use b.txt',
    })
    await page.close()
  })

  test('a session from its beginning to its fork by keys alone', async () => {
    await using one = await stage(
      line('I write.', call('write', { file_path: 'a.txt', content: 'a\n' })),
      line('There it is.'),
      { ...line(counted('slow', 400).join(' ')), ...slow },
    )
    const web = await webOf(one, ['--port', '0', '--permission-mode', 'prompt'], environment)
    const page = await browser.newPage()
    const { keyboard } = page
    const focused = async (name: RegExp) => {
      await expect.poll(() => nameOfFocus(page), patience).toMatch(name)
    }
    await page.goto(web.address)
    await page.getByRole('button', { name: 'New session' }).waitFor(patience)
    await keyboard.press('c')
    await focused(/What shall be done/)
    await keyboard.type('Create a.txt')
    await keyboard.press('Control+Enter')
    await page.locator('.question.still').waitFor(patience)
    await expect.poll(() => page.title(), patience).toContain('Waits for you')
    // In the words of the terminal.
    await page.getByRole('heading', { name: 'Write a file? (write)' }).waitFor(patience)
    await keyboard.press('y')
    await page.getByText('There it is.').waitFor(patience)
    await expect.poll(() => page.locator('.session-facts').innerText(), patience).toContain('resting')

    await more(page, /^Rename/)
    await focused(/Title/)
    await keyboard.press('Control+a')
    await keyboard.type('By keys')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'By keys' }).waitFor(patience)

    await more(page, /^Export/)
    const loaded = page.waitForEvent('download')
    await chosen(page, /^Markdown/)
    expect(readFileSync(await (await loaded).path(), 'utf8')).toContain('There it is.')
    await keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').count(), patience).toBe(0)

    await more(page, /^Take back/)
    await chosen(page, /^Create a\.txt/)
    await page.locator('dialog .chip').getByText('is removed').waitFor(patience)
    await chosen(page, /^Take back 1 turn/)
    await expect.poll(() => page.locator('#composer').inputValue(), patience).toBe('Create a.txt')
    await expect.poll(() => exists(one, 'a.txt'), patience).toBe(false)

    await focused(/What shall be done/)
    await keyboard.press('Control+a')
    await keyboard.type('Count slowly')
    await keyboard.press('Enter')
    await page.getByText('slow3.').waitFor(patience)
    await keyboard.press('Escape')
    await keyboard.press('.')
    await expect.poll(() => page.locator('.turn-end').last().innerText(), patience).toContain('interrupted')

    await more(page, /^Fork/)
    await focused(/Title/)
    await keyboard.type('The other way')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The other way' }).waitFor(patience)
    await keyboard.press('9')
    await page.locator('.compare-choice .chip').getByText('this is its fork').waitFor(patience)
    await chosen(page, /By keys/)
    await page.getByText('Nothing differs').waitFor(patience)
    await keyboard.press('?')
    await expect.poll(() => page.getByRole('dialog').innerText(), patience).toContain('Next difference')
    await page.close()
  })

  test('a server that is read-only has nothing to act with, and refuses what is asked all the same', async () => {
    await using one = await stage(line('Hello.'))
    await one.runHere(['-p', 'Hello!'])
    const [row] = await one.sessions()
    const web = await webOf(one, ['--port', '0', '--read-only', row?.id ?? ''], environment)
    const page = await browser.newPage()
    await page.goto(web.address)
    await page.getByText('Hello.').waitFor(patience)
    await page.getByText('resting').waitFor(patience)
    for (const key of ['i', '.', 'c']) await page.keyboard.press(key)
    expect(await page.locator('.dock, textarea, .composer').count()).toBe(0)
    await page.getByRole('button', { name: 'More' }).click()
    expect(await page.locator('dialog .menu strong').allInnerTexts()).toEqual(
      expect.not.arrayContaining(['Rename', 'Fork', 'Take back', 'Accept']),
    )
    await page.keyboard.press('Escape')
    await page.keyboard.press('u')
    await page.locator('.session-row').waitFor(patience)
    expect(await page.getByRole('button', { name: 'New session' }).count()).toBe(0)
    // What the page does not draw, somebody can ask for.
    const status = await page.evaluate(`fetch('/api/act/rename', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-loader-key': localStorage.getItem('loader-key') },
      body: JSON.stringify({ request: 'a-request-of-mine-1', session: ${JSON.stringify(row?.id)}, title: 'Mine' }),
    }).then(async (answer) => [answer.status, (await answer.json()).error.code])`)
    expect(status).toEqual([403, 'read_only'])
    expect((await one.sessions())[0]?.title).toBe(row?.title)
    await page.close()
  })
})

async function begin(browser: Browser, address: string, task: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(address)
  await page.getByRole('button', { name: 'New session' }).click()
  await page.getByLabel('What shall be done?').fill(task)
  await page.getByRole('button', { name: 'Begin' }).click()
  return page
}

/** What can be read of the session, without what stands in fields. */
function wordsOn(page: Page): Promise<string> {
  return page.evaluate('document.body.innerText')
}

/** Those that are not there exactly once. */
function timesIn(text: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => text.split(word).length !== 2)
}

/** The name that a screen reader says of what has the focus. */
function nameOfFocus(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const { activeElement: now } = document
    if (now === null || now === document.body) return ''
    return now.labels?.[0]?.innerText ?? now.getAttribute('aria-label') ?? now.innerText
  })()`)
}

/** Takes something of the menu that `m` opens. */
async function more(page: Page, name: RegExp): Promise<void> {
  // What was done may be seen before the dialog has heard of it and closed.
  await expect.poll(() => page.locator('dialog').count(), patience).toBe(0)
  await page.keyboard.press('m')
  await page.locator('dialog .menu button').first().waitFor(patience)
  await chosen(page, name)
}

/** Goes there by Tab, and takes it by Enter. */
async function chosen(page: Page, name: RegExp): Promise<void> {
  await expect
    .poll(
      async () => {
        if (name.test(await nameOfFocus(page))) return true
        await page.keyboard.press('Tab')
        return name.test(await nameOfFocus(page))
      },
      { timeout: 30_000, interval: 20 },
    )
    .toBe(true)
  await page.keyboard.press('Enter')
}

function exists(one: Stage, path: string): boolean {
  try {
    readFileSync(one.path(path))
    return true
  } catch {
    return false
  }
}
