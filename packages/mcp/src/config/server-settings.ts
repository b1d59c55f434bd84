import * as z from 'zod'

const texts = z.array(z.string().min(1))
const named = z.record(z.string(), z.string())

const OAuth = z.strictObject({
  clientId: z
    .string()
    .min(1)
    .optional()
    .describe('the client that the server knows already; absent: one is registered'),
  clientSecretVariable: z.string().min(1).optional().describe('the environment variable that holds its secret'),
  privateKeyVariable: z
    .string()
    .min(1)
    .optional()
    .describe('with client_credentials: the environment variable that holds a private key (PEM), instead of a secret'),
  keyAlgorithm: z.string().min(1).optional().describe('of that key: ES256, RS256; absent: ES256'),
  clientMetadataUrl: z
    .string()
    .optional()
    .describe('where the server can read about the client, instead of registering it'),
  scope: z.string().optional().describe('what is asked for; absent: what the server says'),
  port: z.int().min(1).max(65_535).optional().describe('of the loopback address that the browser returns to'),
  grant: z
    .enum(['authorization_code', 'client_credentials'])
    .optional()
    .describe('client_credentials: without a user, with the id and the secret or the key of the client'),
})

/** One MCP server, as settings and the files of other programs have it. */
export const McpServer = z
  .strictObject({
    type: z.enum(['stdio', 'http', 'streamable-http']).optional().describe('absent: told by command or url'),
    command: z.string().min(1).optional().describe('the program to start'),
    args: z.array(z.string()).optional().describe('what it is started with'),
    env: named.optional().describe('variables for it, besides those of every command; ${NAME} is one of yours'),
    cwd: z.string().min(1).optional().describe('the folder it starts in; absent: the project'),
    url: z.string().min(1).optional().describe('where a server is that runs elsewhere'),
    headers: named.optional().describe('sent with each request; ${NAME} is a variable of yours'),
    reach: z
      .enum(['work', 'network', 'open'])
      .optional()
      .describe(
        'what a started program can touch: work (absent) reads, network has one, open is everything that you can',
      ),
    writable: texts.optional().describe('paths that it can change; relative ones are those of the project'),
    readable: texts.optional().describe('paths that it can read although they are hidden'),
    readOnly: texts
      .optional()
      .describe('tools that change nothing, by your word: they run unasked; list_* names several'),
    tools: texts.optional().describe('the tools that are offered; absent: all'),
    timeoutSeconds: z.number().positive().optional().describe('how long a call may take without a sign of progress'),
    enabled: z.boolean().optional().describe('false: it is not started'),
    oauth: OAuth.optional().describe('how to log in, where the server does not say enough'),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    message: 'a server needs a command to start, or a url',
  })
export type McpServer = z.infer<typeof McpServer>

/** What a server may be called: the name is a part of the names of its tools. */
export const McpServerName = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9]|[_-](?=[A-Za-z0-9])){0,31}$/,
    'letters and digits, with single - and _ between them, at most 32',
  )
