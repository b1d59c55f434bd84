import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { type Browser, openBrowser, type Page, whyNoBrowser } from '@loader/test-browser'
import { fromCi } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtProbe } from '../stage/built-probe.ts'

const token = 'the-token-of-this-test-0123456789'
const script = resolve(import.meta.dirname, '../stage/children/serve.ts')

let browser: Browser
let probe: string

beforeAll(async () => {
  if (whyNoBrowser !== undefined) return
  ;[browser, probe] = await Promise.all([openBrowser(), builtProbe()])
})

afterAll(async () => {
  await browser?.close()
  if (probe !== undefined) rmSync(probe, { recursive: true })
})

/** A session that is being written, and a server that can be killed. */
class Scene implements AsyncDisposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'loader-web-'))
  port = 0
  #server: ChildProcess | undefined
  #session: Session | undefined
  #written = 0

  async write(count: number): Promise<void> {
    const store = new FileSessionStore({ directory: this.directory })
    this.#session ??= await Session.open(store, { environment: systemEnvironment(), title: 'Followed' })
    for (let number = 0; number < count; number += 1) {
      this.#written += 1
      await this.#session.append({ type: 'input.queued', inputId: `in_${this.#written}`, text: 'x'.repeat(100) })
    }
    await this.#session.save()
  }

  /** The seq of the last event that was written. */
  get seq(): number {
    return this.#session?.state?.seq ?? 0
  }

  get id(): string {
    return this.#session?.id ?? ''
  }

  async start(): Promise<void> {
    const words = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning', script]
    const child = spawn(process.execPath, [...words, this.directory, String(this.port), probe], {
      env: { ...process.env, LOADER_WEB_TOKEN: token },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#server = child
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    this.port = Number(new URL(String(said).trim()).port)
  }

  async kill(): Promise<void> {
    const ended = this.#server && once(this.#server, 'exit')
    this.#server?.kill('SIGKILL')
    await ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await this.#session?.close()
    rmSync(this.directory, { recursive: true })
  }
}

interface Told {
  readonly seqs: readonly number[]
  readonly connections: readonly {
    readonly phase: string
    readonly way: string
    readonly isLive: boolean
    readonly outage?: { readonly cause: string }
    readonly missed?: { cause: string; since: number; until: number; events: number; restarted: boolean }
  }[]
}

function toldBy(page: Page): Promise<Told> {
  return page.evaluate('globalThis.told ?? { seqs: [], connections: [] }')
}

/** Settles when the page has these events, and says that it has all of them. */
async function untilLive(page: Page, seq: number): Promise<Told> {
  return until(page, ({ seqs, connections }) => (seqs.at(-1) ?? 0) >= seq && connections.at(-1)?.isLive === true)
}

async function until(page: Page, isSo: (told: Told) => boolean): Promise<Told> {
  for (;;) {
    const told = await toldBy(page)
    if (isSo(told)) return told
    await passed(20)
  }
}

async function opened(scene: Scene, port = scene.port): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${port}/#token=${token}&session=${scene.id}`)
  return page
}

function counted(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

const here = whyNoBrowser === undefined ? '' : ` (${whyNoBrowser})`

describe.skipIf(whyNoBrowser !== undefined)(`a page in Chromium${here}`, () => {
  test('goes on where it was when its server is killed and started again, and says what it missed', async () => {
    await using scene = new Scene()
    await scene.write(5)
    await scene.start()
    const page = await opened(scene)
    await untilLive(page, scene.seq)
    await scene.write(3)
    await untilLive(page, scene.seq)
    await scene.kill()
    await until(page, ({ connections }) => connections.at(-1)?.isLive === false)
    await scene.write(4)
    await scene.start()
    const { seqs, connections } = await untilLive(page, scene.seq)
    expect(seqs).toEqual(counted(scene.seq))
    expect(connections.at(-1)?.missed).toMatchObject({ cause: 'closed', events: 4, restarted: true })
    await page.context().close()
  })

  test.runIf(fromCi)('on a laptop that slept for an hour, goes on when it wakes up', async () => {
    await using scene = new Scene()
    await scene.write(3)
    await scene.start()
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(`http://127.0.0.1:${scene.port}/#token=${token}&session=${scene.id}`)
    await untilLive(page, scene.seq)
    // What was under way when the lid was closed is cut, and nobody says so.
    await context.setOffline(true)
    await scene.write(6)
    await context.setOffline(false)
    await page.clock.fastForward(3_600_000)
    await page.clock.runFor(2_000)
    const { seqs, connections } = await untilLive(page, scene.seq)
    expect(seqs).toEqual(counted(scene.seq))
    const last = connections.at(-1)?.missed
    expect(last).toMatchObject({ cause: 'asleep', restarted: false })
    expect((last?.until ?? 0) - (last?.since ?? 0)).toBeGreaterThanOrEqual(3_590_000)
    await context.close()
  })

  test.runIf(fromCi)('behind a proxy that holds answers back until they end, has every event once', async () => {
    await using scene = new Scene()
    await scene.write(3)
    await scene.start()
    await using proxy = await bufferingProxy(() => scene.port)
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(`http://127.0.0.1:${proxy.port}/#token=${token}&session=${scene.id}`)
    await until(page, ({ connections }) => connections.length > 0)
    for (let tries = 0; tries < 2; tries += 1) await page.clock.runFor(6_000)
    const first = await untilLive(page, scene.seq)
    expect(first.connections.at(-1)).toMatchObject({ way: 'poll', missed: { cause: 'silent' } })
    await scene.write(4)
    const { seqs } = await untilLive(page, scene.seq)
    expect(seqs).toEqual(counted(scene.seq))
    await context.close()
  })

  test.runIf(fromCi)(
    'that is not known to a server with another token says so, and goes on after a login in another tab',
    async () => {
      await using scene = new Scene()
      await scene.write(2)
      await scene.start()
      const page = await opened(scene)
      await untilLive(page, scene.seq)
      await page.evaluate(`localStorage.setItem('loader-key', 'all.of-another-start')`)
      await scene.kill()
      await scene.write(2)
      await scene.start()
      await until(page, ({ connections }) => connections.at(-1)?.phase === 'ended')
      const other = await page.context().newPage()
      await other.goto(`http://127.0.0.1:${scene.port}/#token=${token}`)
      const { seqs } = await untilLive(page, scene.seq)
      expect(seqs).toEqual(counted(scene.seq))
      await page.context().close()
    },
  )
})

/** Passes an answer on when it has all of it, as proxies do that are not told otherwise. */
async function bufferingProxy(portOfServer: () => number) {
  const server = createServer((incoming, outgoing) => {
    const port = portOfServer()
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` }
    if (headers.origin !== undefined) headers.origin = `http://127.0.0.1:${port}`
    const passed = request(
      { host: '127.0.0.1', port, path: incoming.url, method: incoming.method, headers },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', () => outgoing.destroy())
        answer.on('end', () => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          outgoing.end(Buffer.concat(chunks))
        })
      },
    )
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
