import { pathToFileURL } from 'node:url'
import { setTimeout as passed } from 'node:timers/promises'
import { line } from '@loader/test-harness'
import { openBrowser, type Page, whyNoBrowser } from '@loader/test-browser'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type Stage, stage } from './stage/stage.ts'
import { webOf } from './stage/web-of.ts'

const here = whyNoBrowser === undefined ? '' : ` (${whyNoBrowser})`
const token = 'the-token-of-this-test-0123456789'

/** What a person who looks at the page can read. */
function textOf(page: Page): Promise<string> {
  return page.evaluate('document.body.innerText')
}

async function until(page: Page, isSo: (text: string) => boolean): Promise<string> {
  for (;;) {
    const text = await textOf(page)
    if (isSo(text)) return text
    await passed(20)
  }
}

async function killed(web: Awaited<ReturnType<typeof webOf>>): Promise<void> {
  web.running.process.kill('SIGKILL')
  await web.running.ended
}

/** The words of an answer, each of which can be found again. */
const words = Array.from({ length: 120 }, (_, index) => `word${index + 1}.`)

describe.runIf(whyNoBrowser === undefined && fromCi)(`loader web in Chromium${here}`, () => {
  test('shows an answer while it comes, over a server that is killed and started again: each word once, and what was missed', async () => {
    const slow = { chunks: 'word', fault: { type: 'drip', delayMs: 25 } } as const
    await using one = await stage(line('Hello.'), { ...line(words.join(' ')), ...slow })
    await one.runHere(['-p', 'Hello!'])
    const [row] = await one.sessions()
    await using browser = await openBrowser()
    const web = await webOf(one, ['--port', '0', row?.id ?? ''], { LOADER_WEB_TOKEN: token })
    const page = await browser.newPage()
    await page.goto(web.address)
    await until(page, (text) => text.includes('Hello.'))
    const running = one.start(['-p', '-r', row?.id ?? '', 'Count to many.'])
    const partly = await until(page, (text) => text.includes('word5.'))
    expect(partly).not.toContain('word120.')
    await killed(web)
    await until(page, (text) => text.includes('No connection since'))
    // An outage of less than a second is nothing to tell of.
    await passed(1_100)
    await webOf(one, ['--port', new URL(web.origin).port], { LOADER_WEB_TOKEN: token })
    const text = await until(page, (now) => now.includes('Connected again after'))
    expect((await running.ended).code).toBe(0)
    await until(page, (now) => now.includes('word120.'))
    expect(text).toMatch(
      /Connected again after .*the server was started again; (?:\d+ events? came in since|nothing had happened)/,
    )
    expect(await timesOf(page)).toEqual(words.map(() => 1))
    expect(await browserIsCalm(page)).toEqual([])
  })

  test('an export is the same page, without a server', async () => {
    await using one = await stage(line(words.join(' ')))
    await one.run(['-p', 'Count to many.'])
    await one.run(['export', '--format', 'html', '--output', 'session.html'])
    await using browser = await openBrowser()
    const page = await browser.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(pathToFileURL(one.path('session.html')).href)
    await until(page, (text) => text.includes('word120.'))
    expect(await timesOf(page)).toEqual(words.map(() => 1))
    expect(asked).toEqual([pathToFileURL(one.path('session.html')).href])
  })

  test('whoever has no token sees no session, and is told what to do', async () => {
    await using one: Stage = await stage(line('Hello.'))
    await one.runHere(['-p', 'A secret plan'])
    const web = await webOf(one, ['--port', '0'])
    await using browser = await openBrowser()
    const page = await browser.newPage()
    await page.goto(web.origin)
    const text = await until(page, (now) => /address/.test(now))
    expect(text).not.toContain('secret plan')
    await page.goto(`${web.origin}/#token=wrong`)
    await page.reload()
    expect(await until(page, (now) => /address|token/.test(now))).not.toContain('secret plan')
  })
})

/** How often each word stands in the conversation. */
async function timesOf(page: Page): Promise<number[]> {
  const text = await page.evaluate<string>(`document.querySelector('main').innerText`)
  return words.map((word) => text.split(new RegExp(`\\b${word.replace('.', '\\.')}`)).length - 1)
}

/** What the browser had to refuse. */
function browserIsCalm(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.startsWith(location.origin))`,
  )
}
