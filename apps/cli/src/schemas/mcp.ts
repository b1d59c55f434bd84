import * as z from 'zod'

const ListedServer = z.object({
  name: z.string(),
  transport: z.enum(['stdio', 'http']),
  target: z.string().describe('the command that is started, or the address'),
  source: z.string().describe('the file that names it'),
  origin: z.enum(['user', 'project']),
  reach: z
    .enum(['work', 'network', 'open'])
    .nullable()
    .describe('what a started program can touch; null for an address'),
  inert: z.string().nullable().describe('why it is not started'),
})
export type ListedServer = z.infer<typeof ListedServer>

export const McpListOutput = z.object({ servers: z.array(ListedServer) }).describe('loader mcp list --json')
export type McpListOutput = z.infer<typeof McpListOutput>

const TestedServer = z.object({
  name: z.string(),
  state: z.enum(['connected', 'failed', 'ended', 'inert']),
  version: z.string().nullable().describe('what it calls itself, and its version'),
  walls: z.string().nullable().describe('the walls that its program runs in; null for an address'),
  why: z.string().nullable().describe('why it is not connected, or what it offers and is left out'),
  ms: z.int().describe('how long it took'),
  tools: z.array(
    z.object({
      name: z.string().describe('as models call it'),
      tool: z.string().describe('as the server calls it'),
      description: z.string(),
      hints: z.array(z.string()).describe('what the server says of it; nothing rests on this'),
      asks: z.boolean().describe('false where your settings say that it only reads'),
    }),
  ),
  prompts: z.array(z.string()),
  resources: z.array(z.string()),
})
export type TestedServer = z.infer<typeof TestedServer>

export const McpTestOutput = z
  .object({ servers: z.array(TestedServer).describe('with any that is not connected, the exit code is 1') })
  .describe('loader mcp test --json')
export type McpTestOutput = z.infer<typeof McpTestOutput>
