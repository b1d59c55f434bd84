import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createPlain } from 'node:net'
import { gzipSync, createGzip } from 'node:zlib'
import type { ToolContext } from '@loader/session-core/coding'
import { fetchTool } from '../../src/fetch.ts'
import { nameServer } from './name-server.ts'

// Runs in a network namespace of its own, where 93.184.216.0/24 and 2a00:1450::/32 lead back to it: a public internet that
// nobody else is in. Prints what was answered to each fetch, and who was connected to.

const open = '93.184.216.34'
const connected: string[] = []
const told: IncomingMessage[] = []

async function serve(host: string, port: number, answer: (from: IncomingMessage, to: ServerResponse) => void) {
  const server = createServer((from, to) => {
    told.push(from)
    answer(from, to)
  })
  server.on('connection', (socket) => connected.push(`${socket.localAddress?.replace('::ffff:', '')}:${port}`))
  server.listen(port, host)
  await once(server, 'listening')
}

const secretService = (_from: IncomingMessage, to: ServerResponse) => to.end('SECRET OF THIS MACHINE')

const endless = (to: ServerResponse, chunk: Buffer) => {
  const more = (): void => {
    while (!to.destroyed && to.write(chunk));
    if (!to.destroyed) to.once('drain', more)
  }
  more()
}

const pages: Readonly<Record<string, (from: IncomingMessage, to: ServerResponse) => void>> = {
  '/plain': (_from, to) =>
    to.setHeader('content-type', 'text/plain').setHeader('set-cookie', 'a=b').end('It is plain.'),
  '/elsewhere': (_from, to) => to.writeHead(302, { location: 'http://other.example/x' }).end(),
  '/inside': (_from, to) => to.writeHead(302, { location: 'http://127.0.0.1:8080/' }).end(),
  '/metadata': (_from, to) => to.writeHead(301, { location: 'http://169.254.169.254/latest/' }).end(),
  '/file': (_from, to) => to.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/round': (_from, to) => to.writeHead(302, { location: '/round' }).end(),
  '/again': (_from, to) => to.writeHead(302, { location: '/plain' }).end(),
  '/large': (_from, to) => {
    to.setHeader('content-type', 'text/plain').setHeader('content-length', 100 * 1024 * 1024)
    endless(to, Buffer.alloc(1 << 20, 'a'))
  },
  '/endless': (_from, to) => endless(to.setHeader('content-type', 'text/plain'), Buffer.alloc(1 << 16, 'b')),
  '/bomb': (_from, to) => {
    to.setHeader('content-type', 'text/plain').setHeader('content-encoding', 'gzip')
    const gzip = createGzip()
    gzip.pipe(to)
    const zeros = Buffer.alloc(1 << 20)
    const more = (): void => {
      while (!to.destroyed && gzip.write(zeros));
      if (!to.destroyed) gzip.once('drain', more)
    }
    more()
  },
  '/packed': (_from, to) =>
    to.setHeader('content-type', 'text/html').setHeader('content-encoding', 'gzip').end(gzipSync('<p>unpacked')),
  '/broken': (_from, to) =>
    to.setHeader('content-type', 'text/html').setHeader('content-encoding', 'gzip').end('not gzip'),
  '/strange': (_from, to) => to.setHeader('content-encoding', 'zstd').end('x'),
  '/image': (_from, to) => to.setHeader('content-type', 'image/png').end(Buffer.alloc(100)),
  '/gone': (_from, to) => to.setHeader('content-type', 'text/plain').writeHead(404).end('not here'),
}

const anyPage = (from: IncomingMessage, to: ServerResponse) => {
  const page = pages[from.url ?? '']
  if (page === undefined) to.end('There is nothing.')
  else page(from, to)
}

await serve(open, 80, anyPage)
await serve('2a00:1450::1', 80, anyPage)
// What no fetch may reach: on every address that stands for this machine or a private network.
for (const host of ['127.0.0.1', '::1', '10.1.2.3', '169.254.169.254']) await serve(host, 8080, secretService)
await serve('127.0.0.1', 80, secretService)
await serve('169.254.169.254', 80, secretService)
await serve('::1', 80, secretService)
// It promises more than it says.
const short = createPlain((socket) =>
  socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 50\r\n\r\nshort'),
)
short.listen(81, open)
await once(short, 'listening')

const names = await nameServer({
  'open.example': [[open]],
  'six.example': [['2a00:1450::1']],
  'other.example': [[open]],
  'inside.example': [['127.0.0.1']],
  'private.example': [['10.1.2.3']],
  'link.example': [['fe80::1', '169.254.169.254']],
  'mapped.example': [['::ffff:127.0.0.1', '::1', 'fd00::1', '64:ff9b::7f00:1']],
  // It is what it seems only as long as it is looked at.
  'rebinding.example': [[open], ['127.0.0.1'], ['127.0.0.1'], ['127.0.0.1']],
  'both.example': [['127.0.0.1', open]],
})
const resolver = new Resolver()
resolver.setServers([names.address])
const resolve = async (host: string) => {
  const all = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return all.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}

const tool = fetchTool({ resolve })
const context = { callId: 'call', blobs: {} as ToolContext['blobs'] }

for (const url of JSON.parse(process.argv[2] ?? '[]') as string[]) {
  connected.length = 0
  told.length = 0
  const before = names.asked.length
  const examined = await tool.examine({ url, from: 0 }, context)
  const result = examined.valid ? await tool.run(examined, context) : { outcome: 'refused', text: examined.message }
  const said = {
    url,
    ...(examined.valid && { hosts: examined.hosts, reach: examined.reach, preview: examined.preview }),
    outcome: result.outcome,
    text: result.text.slice(0, 600),
    length: result.text.length,
    connected: [...connected],
    headers: told[0]?.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
    names: names.asked.slice(before).filter((each) => each.endsWith(' A')).length,
    memory: Math.round(process.memoryUsage.rss() / 1024 / 1024),
  }
  process.stdout.write(`${JSON.stringify(said)}\n`)
}
process.exit(0)
