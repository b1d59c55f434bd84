// A session of 10,000 events in the page, next to a page of the same size that only stands there: the same bytes, and
// the whole conversation as plain elements. How long until something can be read, and how long frames take while one
// scrolls, zooms and moves. A machine may be busy, so the bars are on the ratios; the times are shown.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { conversationOf } from '@loader/readings'
import { openBrowser, whyNoBrowser } from '@loader/test-browser'
// @boundaries-ignore no public name
import { exportedPage } from '../apps/web/test/stage/exported-page.ts'
// @boundaries-ignore no public name
import { longSession } from '../apps/web/test/stage/long-session.ts'
import { atMost } from './store/figure.mjs'

const events = 10_000
const rounds = 3
const frames = 150

export async function figures() {
  if (whyNoBrowser !== undefined) {
    console.log(`Nothing is measured: ${whyNoBrowser}.`)
    return []
  }
  const history = longSession(events)
  using page = exportedPage(history)
  const folder = mkdtempSync(join(tmpdir(), 'loader-static-'))
  const browser = await openBrowser()
  try {
    const still = staticPage(folder, history, readFileSync(fileURLToPath(page.url)).length)
    const seen = { page: [], still: [] }
    // In turns, so that a busy moment of the machine meets both.
    for (let round = 0; round < rounds; round += 1) {
      seen.still.push(await look(browser, still, 'p'))
      seen.page.push(await look(browser, page.url, '.row'))
    }
    const best = (which, name) => Math.min(...seen[which].map((one) => one[name]))
    const shown = (figure, value) => ({ figure, value, unit: 'ms', bar: null, ok: true })
    const ratio = (figure, name, other, bar) => atMost(figure, best('page', name) / best('still', other), '×', bar)
    return [
      shown('first text of the page', best('page', 'paint')),
      shown('first text of the static page', best('still', 'paint')),
      ratio('first text, page to static page', 'paint', 'paint', 3),
      shown('scrolling, p95 of a frame', best('page', 'scroll')),
      shown('scrolling the static page, p95 of a frame', best('still', 'scroll')),
      ratio('scrolling, page to static page', 'scroll', 'scroll', 3),
      shown('zooming the timeline, p95 of a frame', best('page', 'zoom')),
      ratio('zooming, to scrolling the static page', 'zoom', 'scroll', 3),
      shown('moving in the timeline, p95 of a frame', best('page', 'pan')),
      ratio('moving, to scrolling the static page', 'pan', 'scroll', 3),
    ]
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true })
  }
}

/** The conversation as plain elements, filled up to the same size with what no one sees. */
function staticPage(folder, history, size) {
  const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const parts = conversationOf(history).flatMap((entry) =>
    entry.kind === 'message'
      ? [
          `<p>${escaped(entry.text)}</p>`,
          ...entry.calls.map(({ name, result }) => `<pre>${escaped(`${name} ${result}`)}</pre>`),
        ]
      : ['<hr>'],
  )
  const text = `<!doctype html><meta charset="utf-8"><title>static</title><body>${parts.join('')}`
  const rest = `<script type="application/json">${' '.repeat(Math.max(0, size - text.length))}</script>`
  const file = join(folder, 'static.html')
  writeFileSync(file, text + rest)
  return pathToFileURL(file).href
}

async function look(browser, url, first) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  try {
    await page.goto(url)
    await page.locator(first).first().waitFor()
    const paint = await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)
    const scroll = await framesOf(page, 'scrollBy(0, 120)')
    if (first === 'p') return { paint, scroll }
    await page.keyboard.press('3')
    await page.locator('.timeline-chart svg .axis').first().waitFor({ state: 'attached' })
    await page.evaluate('scrollTo(0, 0)')
    const zoom = await framesOf(page, `wheel({ deltaY: index % 60 < 30 ? -60 : 60 })`)
    const pan = await framesOf(page, `wheel({ deltaX: index % 60 < 30 ? 80 : -80 })`)
    return { paint, scroll, zoom, pan }
  } finally {
    await page.close()
  }
}

/** The 95th percentile of the time of a frame, in each of which something is done. */
function framesOf(page, act) {
  return page.evaluate(`(async () => {
    const wheel = (by) => {
      const chart = document.querySelector('.timeline-chart')
      const { left, top } = chart.getBoundingClientRect()
      chart.dispatchEvent(new WheelEvent('wheel', { clientX: left + 400, clientY: top + 40, bubbles: true, cancelable: true, ...by }))
    }
    const times = []
    let last = performance.now()
    for (let index = 0; index < ${frames}; index += 1) {
      ${act}
      await new Promise((done) => requestAnimationFrame(done))
      const now = performance.now()
      times.push(now - last)
      last = now
    }
    return times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)]
  })()`)
}
