import * as z from 'zod'

/** When a hook runs, by the names that programs share. */
export const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'PreCompact',
  'Stop',
  'SubagentStop',
  'SessionEnd',
] as const
export type HookEvent = (typeof hookEvents)[number]

/** In seconds. */
export const longestTimeout = 3600

/** One command, as settings have it. */
const HookCommand = z.strictObject({
  type: z.literal('command').optional().describe('absent: command'),
  command: z.string().min(1).describe('the shell command; it gets JSON on standard input'),
  timeout: z.number().positive().max(longestTimeout).optional().describe('seconds; absent: 60'),
  reach: z
    .enum(['look', 'work', 'network', 'open'])
    .optional()
    .describe('what it can touch; absent: work, in walls; open: everything that you can. Only in settings of yours'),
  async: z.boolean().optional().describe('whether the work goes on while it runs; then it decides nothing'),
})

const HookGroup = z.strictObject({
  matcher: z
    .string()
    .refine(isPattern, 'it is no regular expression')
    .optional()
    .describe('names of tools (Bash, Edit|Write), or a regular expression; absent: all'),
  hooks: z.array(HookCommand).describe('what runs, one after the other'),
})

const groups = () => z.array(HookGroup).optional()

/** Hooks in settings, by the moment at which they run. */
export const HooksSetting = z.strictObject({
  SessionStart: groups().describe('before the first request of a process'),
  UserPromptSubmit: groups().describe('before the first request of a task'),
  PreToolUse: groups().describe('before a call'),
  PostToolUse: groups().describe('after a call that ended well'),
  PostToolUseFailure: groups().describe('after a call that did not'),
  Notification: groups().describe('when an answer of yours is awaited'),
  PreCompact: groups().describe('before messages become a summary'),
  Stop: groups().describe('before a turn ends well'),
  SubagentStop: groups().describe('before the turn of an agent that another one started ends well'),
  SessionEnd: groups().describe('when the session is left'),
} satisfies Record<HookEvent, z.ZodType>)
export type HooksSetting = z.infer<typeof HooksSetting>

/** A hook with where it comes from. */
export interface ConfiguredHook {
  readonly event: HookEvent
  readonly matcher: string
  readonly command: string
  readonly timeoutMs: number
  readonly reach: 'look' | 'work' | 'network' | 'open'
  /** Whether it runs in the background: the work does not wait for it. */
  readonly async: boolean
  /** The file that names it. */
  readonly source: string
  /** A file of a project can come from a stranger: its hooks run only in a trusted project, and can allow nothing. */
  readonly origin: 'user' | 'project'
}

/** Whether a text can be used as a matcher. */
export function isPattern(matcher: string): boolean {
  try {
    return new RegExp(matcher).source !== ''
  } catch (error) {
    if (error instanceof SyntaxError) return matcher === '*'
    throw error
  }
}
