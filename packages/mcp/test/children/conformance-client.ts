// What the conformance suite runs: `node conformance-client.ts <url>`. It does with a server what a session does, and the
// part of the user: it logs in where it is told to, and goes on.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { type KeptLogin, logIn, McpServers } from '../../src/index.ts'
import type { McpServer } from '../../src/config.ts'

const url = process.argv.at(-1) ?? ''
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const Context = z.object({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  private_key_pem: z.string().optional(),
  signing_algorithm: z.string().optional(),
})
const given = Context.parse(JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}'))
const variables = { SECRET: given.client_secret, KEY: given.private_key_pem }

const oauth: McpServer['oauth'] = {
  ...(given.client_id !== undefined && { clientId: given.client_id }),
  ...(given.client_secret !== undefined && { clientSecretVariable: 'SECRET' }),
  ...(given.private_key_pem !== undefined && { privateKeyVariable: 'KEY', keyAlgorithm: given.signing_algorithm }),
  ...(scenario.includes('client-credentials') && { grant: 'client_credentials' as const }),
  ...(scenario === 'auth/basic-cimd' && { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' }),
}
const server: McpServer = { url, oauth }

let kept: KeptLogin | undefined
const logins = { read: () => kept, write: (_name: string, login: KeptLogin | undefined) => void (kept = login) }
const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
const mostLogins = 3

for (let login = 0; login <= mostLogins; login += 1) {
  if (await worked()) process.exit(0)
  if (login === mostLogins) break
  await logIn({
    name: 'tested',
    server,
    logins,
    variables,
    version: '1',
    signal: AbortSignal.timeout(20_000),
    // The browser: it goes where it is sent, and comes back with what it is given.
    open: async (page) => void (await fetch(page)),
  })
}
process.exit(1)

/** One session: all tools are called. False if a login is wanted first. */
async function worked(): Promise<boolean> {
  await using servers = new McpServers({
    servers: [{ name: 'tested', source: 'test', server }],
    place: { root: folder, scratch: join(folder, 'scratch'), walls: { use: 'off' } },
    logins,
    variables,
    reserved: [],
    version: '1',
  })
  await servers.connected()
  const [record] = servers.servers
  if (record?.state !== 'connected') {
    if (record?.why?.includes('log in')) return false
    throw new Error(record?.why)
  }
  for (const tool of servers.tools) {
    const ask = async ({ options = [] }: { readonly options?: readonly { readonly label: string }[] | undefined }) =>
      options.some(({ label }) => label === 'answer') ? 'answer' : 'leave out'
    const context = { callId: 'call', blobs: { put: never, get: never }, ask }
    const looked = await tool.examine({ a: 5, b: 3 }, context)
    if (!looked.valid) throw new Error(looked.message)
    const { text } = await tool.run(looked, context)
    console.log(`${tool.name}: ${text}`)
    if (text.includes('log in')) return false
  }
  return true
}

async function never(): Promise<never> {
  throw new Error('Nothing is stored here.')
}
