import { isIP } from 'node:net'
import type { Examination, Tool } from '@loader/session-core/coding'
import type { BackgroundCommands } from '@loader/workspace'
import * as z from 'zod'
import { withNews } from './background/news.ts'
import type { Resolve } from './web/resolve.ts'

const longestUrl = 4000

const FetchInput = z.object({
  url: z.string().max(longestUrl).describe('http or https'),
  from: z.int().min(0).default(0).describe('the character to begin with, to go on where a result ended'),
})
export type FetchInput = z.infer<typeof FetchInput>

/** What the tool `fetch` reaches besides the public internet, and how it finds the addresses of a name. */
export interface FetchOptions {
  /** Their ports can be fetched at 127.0.0.1. Absent means that nothing on this machine can. */
  readonly background?: BackgroundCommands
  /** Asks for the addresses of a name. Absent means as the system does. */
  readonly resolve?: Resolve
}

/** Fetches a page as text. Which hosts may be asked is decided elsewhere, and which addresses here. */
export function fetchTool({ background, resolve }: FetchOptions = {}): Tool<FetchInput> {
  return {
    name: 'fetch',
    title: 'Fetch a page',
    description:
      'Fetch a page and get its text, HTML as Markdown. The user is asked for each host. Nothing is sent but the address: no ' +
      'cookies, no credentials. Addresses of private networks are refused' +
      (background === undefined
        ? '.'
        : '; at 127.0.0.1 you reach the ports of background commands, without a question.'),
    input: FetchInput,
    aliases: {
      names: [
        'web_fetch',
        'fetch_url',
        'fetch_webpage',
        'read_url',
        'read_url_content',
        'browse',
        'get_url',
        'http_get',
      ],
      arguments: { url: ['uri', 'address', 'link', 'href'] },
      main: 'url',
    },
    rule: { names: ['Fetch', 'WebFetch'], takes: 'host' },
    examine: async (input, { sessionId = '' }) => examine(input, background, sessionId),
    async run({ input }, { sessionId = '', signal = never }) {
      const url = new URL(input.url)
      const own = ownPortOf(url, background, sessionId)
      const { fetchPage } = await import('./web/fetch-page.ts')
      const { systemResolve } = await import('./web/connect.ts')
      const ownPort = background && ((port: number) => background.connect(sessionId, port))
      const request = { url, own, from: input.from, signal }
      const result = await fetchPage(request, { resolve: resolve ?? systemResolve, ownPort })
      return background === undefined ? result : withNews(result, background, sessionId)
    },
  }
}

const never = new AbortController().signal

async function examine(
  input: FetchInput,
  background: BackgroundCommands | undefined,
  sessionId: string,
): Promise<Examination<FetchInput>> {
  const url = URL.parse(input.url.includes('://') ? input.url : `https://${input.url}`)
  if (url === null) return { valid: false, message: `${input.url} is not an address.` }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { valid: false, message: `Only http and https can be fetched, not ${url.protocol}` }
  }
  if (url.username !== '' || url.password !== '') {
    return { valid: false, message: 'The address holds a name or a password, which are never sent.' }
  }
  url.hash = ''
  const plain = { ...input, url: url.href }
  const known = { valid: true, input: plain, effect: 'probe', paths: [], intent: [] } as const
  if (isLoopback(url)) {
    if (ownPortOf(url, background, sessionId) === undefined)
      return { valid: false, message: notOwn(url, background, sessionId) }
    // Its answer depends on the moment, so that the same call again is no repetition.
    return { ...known, effect: 'none', preview: `Fetch ${url.href} from a background command` }
  }
  const refused = await whyRefused(url)
  if (refused !== undefined) return { valid: false, message: refused }
  return { ...known, reach: 'network', hosts: [url.host], preview: `Fetch a page of ${url.host}:\n${url.href}` }
}

/** A literal IP address is refused before the user is asked. A name is resolved only after the call is permitted. */
async function whyRefused(url: URL): Promise<string | undefined> {
  const { hostOf } = await import('./web/connect.ts')
  const { isPublic } = await import('./web/public-address.ts')
  const host = hostOf(url)
  if (isIP(host) === 0 || isPublic(host)) return undefined
  return `${host} is not on the public internet, so it is not asked.`
}

/** Writings of this machine: the parser has turned every other form of 127.0.0.1 into this one. */
function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost\.?|127\.0\.0\.1|\[::1\])$/.test(hostname)
}

/** The port, if a background command of the session listens on it. */
function ownPortOf(url: URL, background: BackgroundCommands | undefined, sessionId: string): number | undefined {
  if (background === undefined || !isLoopback(url) || url.protocol !== 'http:') return undefined
  const port = url.port === '' ? 80 : Number(url.port)
  return background.ports(sessionId).some((each) => each.port === port) ? port : undefined
}

function notOwn(url: URL, background: BackgroundCommands | undefined, sessionId: string): string {
  const ports = background?.ports(sessionId).map(({ port }) => port) ?? []
  const rest =
    ports.length === 0
      ? 'No background command of this session listens on a port.'
      : `They listen on: ${ports.join(', ')}.`
  return `${url.host} is this machine, of which only ports of background commands can be fetched, over http. ${rest}`
}
