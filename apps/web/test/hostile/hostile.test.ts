import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { exportFormat, exportVersion, fold, MemoryStore, type SessionState, summarize } from '@loader/session-core'
import {
  type Browser,
  type BrowserContext,
  builtPage,
  openBrowser,
  type Page,
  whyNoBrowser,
} from '@loader/test-browser'
import { tier, times } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageWithData } from '../../src/server/page-with-data.ts'
import { readPage } from '../../src/server/page-files.ts'
import { served } from '../stage/served.ts'
import { randomTranscript, type Transcript, transcript } from './transcripts.ts'

/** Written by hand, and made at random: of those the long tier makes others each time, and says which. */
const written = times({ quick: 1, ci: 1, long: 200 })
const random = times({ quick: 1, ci: 2, long: 100 })
const firstSeed = 1_000 + (tier === 'long' ? Math.floor(Date.now() / 1000) % 10_000_000 : 0)
const exported = times({ quick: 2, ci: 2, long: 100 })
/** Two seconds for each on a busy machine. */
const timeout = times({ quick: 180_000, ci: 180_000, long: 3_600_000 })

function transcripts(count: number, randomCount: number): Transcript[] {
  return [
    ...Array.from({ length: count }, (_, number) => transcript((number * 67) % 200)),
    ...Array.from({ length: randomCount }, (_, number) => randomTranscript(firstSeed + number)),
  ]
}

/** All elements and attributes of the page: whatever a transcript holds, there are no others. */
const elements =
  'html head meta title link style body script div span p a button nav main header section article aside footer h1 h2 h3 h4 h5 h6 ul ol li dl dt dd strong em del code pre blockquote hr br img table thead tbody tr th td details summary form label input select option textarea dialog kbd time figure figcaption svg g path rect circle text defs pattern line polyline'.split(
    ' ',
  )
const attributes =
  'class id href title target rel referrerpolicy role tabindex lang charset name content type src crossorigin media open start scope colspan for value placeholder autocomplete autofocus required min max step checked selected disabled style alt datetime data-index data-seq data-number data-theme d x y x1 x2 y1 y2 cx cy r rx ry width height fill stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray viewBox preserveAspectRatio transform text-anchor vector-effect patternUnits patternTransform http-equiv'.split(
    ' ',
  )

let browser: Browser

beforeAll(async () => {
  if (whyNoBrowser === undefined) browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
})

/** A browser that notices whatever runs, and whatever is asked for. */
async function watched(): Promise<{
  readonly context: BrowserContext
  readonly asked: string[]
  readonly thrown: string[]
}> {
  const context = await browser.newContext()
  const [asked, thrown]: [string[], string[]] = [[], []]
  context.on('weberror', (fault) => thrown.push(`${fault.error().stack}`.slice(0, 500)))
  context.on('request', (request) => asked.push(request.url()))
  context.on('dialog', (dialog) => void dialog.dismiss())
  await context.addInitScript(`
    globalThis.noticed = []
    globalThis.ran = () => noticed.push('a script ran')
    for (const name of ['alert', 'confirm', 'prompt', 'open']) globalThis[name] = () => noticed.push(name)
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      noticed.push('the browser had to refuse: ' + violatedDirective + ' ' + blockedURI)
    })
  `)
  return { context, asked, thrown }
}

/** What must be true of a page, whatever it shows. */
const faultsNow = `() => {
  const faults = [...noticed]
  noticed.length = 0
  const [known, named] = [new Set(${JSON.stringify(elements)}), new Set(${JSON.stringify(attributes)})]
  // An export has its data and its script; no other may come.
  if (document.querySelectorAll('body > script').length > 2) faults.push('there is another script')
  for (const element of document.querySelectorAll('*')) {
    if (!known.has(element.localName)) faults.push('there is ' + element.outerHTML.slice(0, 200))
    for (const { name, value } of element.attributes) {
      if (!named.has(name) && !name.startsWith('aria-')) faults.push('there is the attribute ' + name + ': ' + element.outerHTML.slice(0, 200))
      if (name === 'style' && /url|expression|image|@/i.test(value)) faults.push('there is style=' + value)
      if (name.startsWith('on')) faults.push('there is a handler: ' + element.outerHTML.slice(0, 200))
      if ((name === 'src' || name === 'poster') && !/^(?:data:image\\/(?:png|jpeg|gif|webp);|blob:|\\.\\/page\\.js$)/.test(value)) faults.push('there is ' + name + '=' + value)
    }
  }
  for (const link of document.querySelectorAll('a[href]')) {
    const isOwn = link.getAttribute('href').startsWith('#')
    if (!isOwn && !/^(?:https?|mailto):$/.test(link.protocol)) faults.push('there is a link to ' + link.href)
    if (!isOwn && !/noopener/.test(link.rel)) faults.push('a link without noopener leads to ' + link.href)
  }
  const shown = document.body.innerText + document.title
  const mark = /[\\u202a-\\u202e\\u2066-\\u2069\\u0000-\\u0008\\u001b]/.exec(shown)
  if (mark !== null) {
    const inside = [...document.querySelectorAll('body *')].findLast((element) => element.innerText?.includes(mark[0]))
    faults.push('a mark that hides or reorders text is shown: ' + JSON.stringify(inside?.outerHTML.slice(0, 300)))
  }
  if (({}).polluted !== undefined) faults.push('the prototype of all objects was changed')
  return faults
}`

const faultsOnPage = `(${faultsNow})()`

/**
 * Unfolds what can be unfolded, and looks at a view from its top to its end, a screen at a time. Undefined where Chromium
 * draws this tab no more, as it does now and then after some hundred views.
 */
const faultsOfView = `(async () => {
  const faultsNow = ${faultsNow}
  const isDrawn = () => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0, true)))
    setTimeout(done, 10_000, false)
  })
  if (!(await isDrawn())) return undefined
  for (const details of document.querySelectorAll('details')) details.open = true
  for (const element of [...document.querySelectorAll('main [aria-expanded="false"]')].slice(0, 20)) element.click()
  if (!(await isDrawn())) return undefined
  const scrolled = [document.scrollingElement, ...document.querySelectorAll('main, main *')].filter(
    (element) => element.scrollHeight > element.clientHeight + 200 && element.clientHeight > 200,
  )
  const faults = []
  for (let screen = 0; screen < ${times({ quick: 3, ci: 4, long: 16 })}; screen += 1) {
    const before = scrolled.map((element) => element.scrollTop)
    for (const element of scrolled) element.scrollTop = screen * element.clientHeight * 0.9
    if (!(await isDrawn())) return undefined
    faults.push(...faultsNow())
    if (screen > 0 && scrolled.every((element, index) => element.scrollTop === before[index])) break
  }
  return [...new Set(faults)]
})()`

/** Opens every view of a session, and all in it that can be unfolded. Undefined where the tab is drawn no more. */
async function lookedAt(page: Page, { id, mark }: Transcript): Promise<readonly string[] | undefined> {
  const faults: string[] = []
  await page.locator(`text=${mark}`).first().waitFor()
  // All of it is there, and shows what it was given: otherwise nothing was tried. (A handle would keep every page that was.)
  await page.locator('main:has-text("ran()")').first().waitFor()
  const views = await page
    .locator(`nav a[href^="#/s/${id}/"]`)
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  for (const view of views) {
    await page.evaluate(`location.hash = ${JSON.stringify(view)}`)
    await page
      .locator(`nav a[href=${JSON.stringify(view)}][aria-current]`)
      .first()
      .waitFor()
    const found = await page.evaluate<string[] | undefined>(faultsOfView)
    if (found === undefined) return undefined
    faults.push(...found.map((fault) => `${mark} ${view}: ${fault}`))
  }
  expect(views.length).toBeGreaterThan(5)
  const all = await page.locator('nav a[href^="#/s/"]').count()
  // What breaks a page while it is drawn leaves parts of it behind.
  return all === views.length ? faults : [...faults, `${mark}: the page has ${all} tabs`]
}

/** Looks at each in one tab, and in a new one when that is drawn no more. */
async function lookedAtAll(
  context: BrowserContext,
  all: readonly Transcript[],
  open: (page: Page, each: Transcript) => Promise<unknown>,
): Promise<readonly string[]> {
  let page = await context.newPage()
  const lookAt = async (each: Transcript) => {
    await open(page, each)
    return await lookedAt(page, each)
  }
  const faults: string[] = []
  for (const each of all) {
    let found = await lookAt(each)
    if (found === undefined) {
      await page.close()
      page = await context.newPage()
      found = await lookAt(each)
    }
    faults.push(...(found ?? [`${each.mark}: two tabs were not drawn`]))
  }
  return faults
}

const here = whyNoBrowser === undefined ? '' : ` (${whyNoBrowser})`

describe.skipIf(whyNoBrowser !== undefined)(`hostile transcripts in Chromium${here}`, () => {
  test(
    `${written} of them, and ${random} from ${firstSeed} on, run nothing and load nothing, in no view of a page`,
    async () => {
      const store = new MemoryStore()
      const all = transcripts(written, random)
      for (const { id, events } of all) await store.restore({ id, events, texts: new Map() })
      await using one = await served(store)
      const { context, asked, thrown } = await watched()
      const onList: string[] = []
      const inViews = await lookedAtAll(context, all, async (page, { id }) => {
        if (page.url() === 'about:blank') {
          await page.goto(`${one.origin}/#token=${one.token}`)
          await page.locator(`text=/mark-\\d+-mark/`).first().waitFor()
          onList.push(...(await page.evaluate<string[]>(faultsOnPage)))
        }
        await page.evaluate(`location.hash = '#/s/${id}'`)
      })
      const faults = [...onList, ...inViews]
      expect({ faults, thrown }).toEqual({ faults: [], thrown: [] })
      expect(asked.filter((url) => !url.startsWith(`${one.origin}/`))).toEqual([])
      expect(one.faults).toEqual([])
      await context.close()
    },
    timeout,
  )

  test(
    `${exported} of both kinds run nothing and load nothing as one file`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'loader-hostile-'))
      const { context, asked, thrown } = await watched()
      const files: string[] = []
      const faults = await lookedAtAll(context, transcripts(exported / 2, exported / 2), async (page, each) => {
        const file = join(folder, `${each.id}.html`)
        writeFileSync(file, exportOf(each))
        files.push(pathToFileURL(file).href)
        await page.goto(pathToFileURL(file).href)
      })
      rmSync(folder, { recursive: true })
      expect({ faults, thrown }).toEqual({ faults: [], thrown: [] })
      expect(asked.filter((url) => !files.includes(url))).toEqual([])
      await context.close()
    },
    timeout,
  )
})

function exportOf({ id, mark, events }: Transcript): string {
  const row = summarize(fold(events) as SessionState)
  const document = {
    format: exportFormat,
    version: exportVersion,
    exportedAt: '2026-01-01T00:00:00.000Z',
    loader: '0.0.0',
    session: { id, title: row.title, lastSeq: events.length },
    secrets: 'replaced',
    blobs: {},
    events,
  } as const
  return pageWithData(
    readPage(builtPage()),
    { protocol: 1, kind: 'export', document, row },
    `${mark}</title><script>ran()</script>`,
  )
}
