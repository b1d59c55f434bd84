import { type Immutable, Phase, SessionRow } from '@loader/session-core'
import { LeftOut, ListeningPort, PermissionMode, PublishedPort, ToolServer, Verdict } from '@loader/session-core/coding'
import * as z from 'zod'

const StatusSession = z.object({
  ...SessionRow.shape,
  model: z.string().nullable().describe('the model that it used last'),
  policy: z
    .object({
      mode: PermissionMode,
      promptingEnabled: z.boolean(),
      ruleCounts: z.object({ allow: z.int(), deny: z.int(), ask: z.int() }),
      rulesSource: z.string().nullable(),
      audience: z.enum(['user', 'nobody']),
      servers: z.array(ToolServer).optional().describe('MCP servers, as they were last'),
    })
    .nullable()
    .describe('as it was applied last'),
  openTurn: z
    .object({
      id: z.string(),
      phase: Phase,
      startedAt: z.string(),
      input: z.string().describe('the words that began it, or their beginning'),
      openCalls: z.array(z.string()).describe('calls without a result'),
    })
    .nullable(),
  queue: z.array(z.string()).describe('what was said and waits, or its beginning'),
  writer: z.string().nullable().describe('who holds it now'),
  place: z
    .object({ root: z.string(), machine: z.string(), missing: z.array(LeftOut) })
    .nullable()
    .describe(
      'the folder that it works in, where its files are stored with it, and what was left out on the way there',
    ),
  judgedElsewhere: z.string().nullable().describe('the machine of its last judgement, where that may not hold here'),
  lastTurn: z.object({ reason: z.string(), verdict: z.nullable(Verdict), finishedAt: z.string() }).nullable(),
  touchedFiles: z.array(z.string()).describe('files that calls have changed'),
  compactions: z.int(),
  background: z
    .array(
      z.object({
        id: z.string(),
        command: z.string(),
        ports: z.array(ListeningPort),
        published: z.array(PublishedPort),
      }),
    )
    .describe('background commands that went on when it was last written'),
})

/** The project and its latest session, as `loader status --json` prints them. */
export const StatusOutput = z
  .object({
    project: z.string().describe('its root'),
    trusted: z.boolean().describe('whether what lies in the project may allow things'),
    model: z.string().nullable().describe('what the next run would use'),
    permissionMode: PermissionMode.check(z.describe('what the next run would use')),
    sessions: z.int(),
    damaged: z.array(z.string()).describe('sessions that are damaged'),
    session: StatusSession.nullable().describe('the one that was asked for, or the latest'),
  })
  .describe('loader status --json')
export type StatusOutput = Immutable<z.infer<typeof StatusOutput>>
