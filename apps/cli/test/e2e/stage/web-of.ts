import { randomUUID } from 'node:crypto'
import { on } from 'node:events'
import type { ActBodies, ActName, Request, Standing } from '@loader/web/server'
import { openInput, type Running, type Stage } from './stage.ts'

/** A `loader web` that runs, as a browser that has logged in sees it. */
export interface Web {
  readonly running: Running
  /** The address that was printed. */
  readonly address: string
  readonly origin: string
  get(path: string, signal?: AbortSignal): Promise<Response>
  json<Answer>(path: string): Promise<Answer>
  /** What is answered to an act, with its status; each call is a request of its own unless it names one. */
  act<Name extends ActName>(name: Name, body: ActBodies[Name] & Partial<Request>): Promise<Told>
  /** How a session stands, as the page is told. */
  standing(session: string): Promise<Standing>
  /** The blocks of server-sent events, as they come. */
  stream(path: string, signal: AbortSignal): AsyncGenerator<string>
}

/** Someone who has opened the page. */
export type Visitor = Omit<Web, 'running'>

/** The answer to an act. */
interface Told {
  readonly status: number
  readonly session: string
  readonly state?: 'recorded' | 'delivered'
  readonly repeated?: true
  readonly token: string
  readonly preview: Readonly<Record<string, unknown>>
  readonly result: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: string; readonly message: string; readonly by?: string; readonly permit?: string }
}

export async function webOf(
  one: Stage,
  words: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Web> {
  const running = one.start(['web', ...words], { input: openInput, environment })
  const address = await firstLine(running)
  return { running, ...(await visitorOf(address)) }
}

/** Someone who opens an address, with all that a browser would do. */
export async function visitorOf(address: string): Promise<Visitor> {
  const { origin, hash } = new URL(address)
  const token = new URLSearchParams(hash.slice(1)).get('token')
  const login = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  if (!login.ok) throw new Error(`Login ended with ${login.status}: ${await login.text()}`)
  const { key } = (await login.json()) as { key: string }
  const headers = { cookie: (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '', 'x-loader-key': key }
  const get = (path: string, signal?: AbortSignal) => fetch(`${origin}${path}`, { headers, ...(signal && { signal }) })
  return {
    address,
    origin,
    get,
    async json<Answer>(path: string) {
      const response = await get(path)
      if (!response.ok) throw new Error(`${path} ended with ${response.status}: ${await response.text()}`)
      return (await response.json()) as Answer
    },
    async act(name, body) {
      const response = await fetch(`${origin}/api/act/${name}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ request: randomUUID(), ...body }),
      })
      return { status: response.status, ...((await response.json()) as Omit<Told, 'status'>) }
    },
    async standing(session) {
      const text = await (await get(`/api/sessions/${session}/events?until=live&wait=0`)).text()
      const [, data] = /^event: standing\ndata: (.*)$/m.exec(text) ?? []
      if (data === undefined) throw new Error(`Nothing was told of how ${session} stands: ${text}`)
      return JSON.parse(data) as Standing
    },
    async *stream(path, signal) {
      const response = await get(path, signal)
      let rest = ''
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const blocks = (rest + piece).split('\n\n')
        rest = blocks.pop() ?? ''
        yield* blocks
      }
    },
  }
}

async function firstLine({ process: child, ended }: Running): Promise<string> {
  const said = async () => {
    let text = ''
    for await (const [chunk] of on(child.stdout as NodeJS.ReadableStream, 'data')) {
      text += String(chunk)
      if (text.includes('\n')) return text.slice(0, text.indexOf('\n'))
    }
    return text
  }
  const failed = ended.then(({ code, stderr }) => Promise.reject(new Error(`loader web ended with ${code}: ${stderr}`)))
  return Promise.race([said(), failed])
}
