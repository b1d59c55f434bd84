// Takes the pictures of docs/images: the page as it is, with the recorded session in it. Needs Chromium, and looks best
// where Inter is installed: node --conditions=@loader/source scripts/take-pictures.ts ../../docs/images
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openBrowser, type Page } from '@loader/test-browser'
import { MemoryStore } from '@loader/session-core'
import type { Standing } from '../src/protocol.ts'
import { exportedPage, recordedEvents } from '../test/stage/exported-page.ts'
import { served } from '../test/stage/served.ts'
import { resting, sessionsOf } from '../test/stage/sessions-of.ts'

interface Picture {
  readonly name: string
  readonly place: string
  readonly colorScheme: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
}

const pictures: readonly Picture[] = [
  { name: 'web-truth', place: 'truth?at=291', colorScheme: 'light' },
  { name: 'web-timeline', place: 'timeline?at=118', colorScheme: 'dark' },
  { name: 'web-cut-off', place: 'conversation?at=119', colorScheme: 'light' },
  { name: 'web-recovery', place: 'recovery', colorScheme: 'light' },
  { name: 'web-state', place: 'state?at=64', colorScheme: 'dark' },
  { name: 'web-phone', place: 'timeline?at=118', colorScheme: 'dark', width: 375, height: 760 },
]

const patch = `--- src/total.js
+++ src/total.js
@@ -5,6 +5,5 @@
 export function tax(lines, rate) {
-  let sum = 0
-  for (const line of lines) {
-    sum += Math.round((lineTotal(line) * rate) / 100)
-  }
-  return sum
+  const net = lines.reduce((sum, line) => sum + lineTotal(line), 0)
+  return Math.round((net * rate) / 100)
 }
`
const once = { kind: 'permit', permit: 'allow', scope: 'once' } as const
const rule = 'edit(/home/ada/invoices/src/total.js)'

/** How a session stands that asks whether it may edit a file. */
const asking: Standing = {
  ...resting,
  phase: 'waiting',
  holder: { where: 'elsewhere', words: 'held by loader (Agent, process 4711 on ada)', takes: true },
  turnId: 'turn_1',
  question: {
    questionId: 'q_1',
    kind: 'permit',
    isPlan: false,
    shown: 'digest',
    askedAt: '2026-01-01T00:00:00.000Z',
    title: 'Edit a file',
    tool: 'edit',
    text: patch,
    options: [],
    reason: 'the mode prompt asks: it changes files in the workspace',
    why: null,
    reach: 'work',
    choices: [
      { letter: 'y', label: 'yes, this once', send: once },
      { letter: 's', label: `yes, ${rule} for the rest of this session`, rule, send: { ...once, scope: 'session' } },
      { letter: 'a', label: `yes, ${rule} always in this project`, rule, send: { ...once, scope: 'always' } },
      {
        letter: 'n',
        label: 'no; a few words behind it tell the model why',
        send: { ...once, permit: 'deny' },
      },
    ],
  },
}

const folder = resolve(process.argv[2] ?? '.')
mkdirSync(folder, { recursive: true })
using exported = exportedPage(recordedEvents('invoices'))
const browser = await openBrowser()
try {
  for (const { name, place, colorScheme, width = 1180, height = 720 } of pictures) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(exported.url)
    await page.locator('.tabs').waitFor()
    await page.evaluate(`location.hash = location.hash.split('/').slice(0, 3).join('/') + '/${place}'`)
    await page
      .locator(`.view-${place.split('?')[0]} > *`)
      .nth(1)
      .waitFor()
    await page.waitForTimeout(500)
    const bytes = await asWebp(page, await page.screenshot())
    writeFileSync(join(folder, `${name}.webp`), bytes)
    console.log(`${name}.webp ${Math.round(bytes.length / 1024)} kB`)
    await context.close()
  }
  await permission(join(folder, 'web-permission.webp'))
} finally {
  await browser.close()
}

/** A phone on which a session asks. Its question is made up; the rest is the recorded session up to there. */
async function permission(file: string): Promise<void> {
  const events = recordedEvents('invoices')
  const [opened] = events
  const id = opened !== undefined && 'id' in opened ? String(opened.id) : ''
  const until = events.findIndex(({ type }) => type === 'tool.started')
  const store = new MemoryStore()
  await store.restore({ id, events: events.slice(0, until), texts: new Map() })
  const { server, origin, token } = await served(store, {
    sessions: sessionsOf(store, '/home/ada/invoices', () => asking),
    readOnly: false,
  })
  const look = { colorScheme: 'light', viewport: { width: 375, height: 760 }, reducedMotion: 'reduce' } as const
  const context = await browser.newContext({ ...look, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await page.goto(`${origin}/#token=${token}&session=${id}`)
  await page.locator('.question.still').waitFor()
  const bytes = await asWebp(page, await page.screenshot())
  writeFileSync(file, bytes)
  console.log(`web-permission.webp ${Math.round(bytes.length / 1024)} kB`)
  await context.close()
  await server.close()
}

/** The browser itself writes WebP. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const context = page.context()
  const blank = await context.newPage()
  const text = (await blank.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (sign) => sign.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(image.width, image.height)
    canvas.getContext('2d').drawImage(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.82 })
    let text = ''
    for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte)
    return btoa(text)
  })()`)) as string
  return Buffer.from(text, 'base64')
}
