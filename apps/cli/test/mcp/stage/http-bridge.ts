import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import * as z from 'zod'

const Message = z.looseObject({ id: z.union([z.string(), z.number()]).optional(), method: z.string().optional() })

/** A server of standard input and output behind streamable HTTP: each request is answered with JSON. */
export async function httpBridge(program: string, words: readonly string[]) {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<string | number, (line: string) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method } = Message.parse(JSON.parse(line))
    if (id !== undefined && method === undefined) waiting.get(id)?.(line)
  })
  const methods: string[] = []
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
    request.on('end', () => {
      const { id, method } = Message.parse(JSON.parse(body))
      methods.push(method ?? 'answer')
      child.stdin.write(`${body}\n`)
      if (id === undefined || method === undefined) return void response.writeHead(202).end()
      waiting.set(id, (line) => {
        waiting.delete(id)
        response.writeHead(200, { 'content-type': 'application/json' }).end(line)
      })
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    methods,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      child.kill('SIGKILL')
    },
  }
}
