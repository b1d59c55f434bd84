import { createServer, type ServerResponse } from 'node:http'
import * as z from 'zod'

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ name: z.string().optional(), protocolVersion: z.string().optional() }).optional(),
})

/** A server of streamable HTTP with sessions, which goes wrong in the way that the called tool is named after. */
export async function hostileHttp() {
  let session = 0
  const calls: string[] = []
  const answers: Readonly<Record<string, (response: ServerResponse) => boolean>> = {
    restart: () => {
      session += 1
      return true
    },
    stream: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${'x'.repeat(17 * 1024 * 1024)}`)
      return false
    },
    drop: (response) => {
      response.destroy()
      return false
    },
    refuse: (response) => {
      response.writeHead(500).end()
      return false
    },
  }
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
    request.on('end', () => {
      const { id, method, params } = Message.parse(JSON.parse(body))
      const reply = (result: object, headers = {}) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers })
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      }
      if (method === 'initialize') {
        const serverInfo = { name: 'evil', version: '1' }
        const { protocolVersion } = params ?? {}
        return reply({ protocolVersion, capabilities: { tools: {} }, serverInfo }, { 'mcp-session-id': `${session}` })
      }
      if (request.headers['mcp-session-id'] !== `${session}`) return void response.writeHead(404).end()
      if (id === undefined) return void response.writeHead(202).end()
      const { name = '' } = params ?? {}
      if (method !== 'tools/call') {
        const tools = ['good', ...Object.keys(answers)].map((each) => ({ name: each, inputSchema: { type: 'object' } }))
        return reply({ tools })
      }
      calls.push(name)
      if (answers[name]?.(response) !== false) reply({ content: [{ type: 'text', text: `${name} ${session}` }] })
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
