import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createHash } from 'node:crypto'
import * as z from 'zod'

const Message = z.looseObject({ id: z.union([z.string(), z.number()]).optional(), method: z.string() })

/** An MCP server that wants a login, and the authority that gives one: codes are worth something with their secret alone. */
export async function guardedServer() {
  const challenges = new Map<string, string>()
  const seen: string[] = []
  let issued = 0
  const token = () => `access-${issued}-0123456789abcdef`
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const url = new URL(request.url ?? '/', base())
      seen.push(`${request.method} ${url.pathname}`)
      const json = (value: unknown, status = 200, headers = {}) =>
        void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
      switch (url.pathname) {
        case '/.well-known/oauth-protected-resource/mcp':
          return json({ resource: `${base()}/mcp`, authorization_servers: [base()] })
        case '/.well-known/oauth-authorization-server':
          return json({
            issuer: base(),
            authorization_endpoint: `${base()}/authorize`,
            token_endpoint: `${base()}/token`,
            registration_endpoint: `${base()}/register`,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
            token_endpoint_auth_methods_supported: ['none'],
          })
        case '/register':
          return json({ ...(JSON.parse(body) as object), client_id: 'client-1' }, 201)
        case '/authorize': {
          const code = `code-${challenges.size}`
          challenges.set(code, url.searchParams.get('code_challenge') ?? '')
          const back = new URL(url.searchParams.get('redirect_uri') ?? '')
          back.searchParams.set('code', code)
          back.searchParams.set('state', url.searchParams.get('state') ?? '')
          return void response.writeHead(302, { location: back.href }).end()
        }
        case '/token': {
          const given = new URLSearchParams(body)
          const isNew = given.get('grant_type') === 'authorization_code'
          const challenge = createHash('sha256')
            .update(given.get('code_verifier') ?? '')
            .digest('base64url')
          const isGood = isNew
            ? challenges.get(given.get('code') ?? '') === challenge
            : given.get('refresh_token') === 'refresh-0123456789abcdef'
          if (!isGood) return json({ error: 'invalid_grant' }, 400)
          issued += 1
          return json({
            access_token: token(),
            token_type: 'Bearer',
            expires_in: 3600,
            refresh_token: 'refresh-0123456789abcdef',
          })
        }
        case '/mcp':
          return answer(request, response, body, json)
        default:
          return void response.writeHead(404).end()
      }
    })
  })
  const base = () => {
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }
  const answer = (
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
    json: (value: unknown, status?: number, headers?: object) => void,
  ): void => {
    if (issued === 0 || request.headers.authorization !== `Bearer ${token()}`) {
      const metadata = `resource_metadata="${base()}/.well-known/oauth-protected-resource/mcp"`
      return json({ error: 'no' }, 401, { 'www-authenticate': `Bearer ${metadata}` })
    }
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method } = Message.parse(JSON.parse(body))
    if (id === undefined) return void response.writeHead(202).end()
    const results: Readonly<Record<string, unknown>> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      },
      'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: `You came with ${request.headers.authorization}` }] },
    }
    return json({ jsonrpc: '2.0', id, result: results[method] ?? {} })
  }
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `${base()}/mcp`,
    seen,
    /** From now on the token that was given is worth nothing. */
    expire: () => void (issued += 1),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
