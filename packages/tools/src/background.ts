import type { JsonObject } from '@loader/session-core'
import type {
  BackgroundNow,
  Examination,
  Tool,
  ToolAliases,
  ToolContext,
  ToolResult,
} from '@loader/session-core/coding'
import type { BackgroundCommands } from '@loader/workspace'
import * as z from 'zod'
import { newsOf, standingLine } from './background/news.ts'
import { untilSo } from './background/until.ts'
import { linePattern } from './search/line-pattern.ts'

const usuallySeconds = 30
const mostSeconds = 600
const shownBytes = 24_000
/** Read at once while waiting for a pattern. */
const readBytes = 256 * 1024

const BackgroundInput = z.object({
  action: z
    .enum(['output', 'wait', 'stop', 'list'])
    .default('output')
    .describe('output reads what it printed; wait waits until it ends, prints a pattern or listens on a port'),
  id: z.string().optional().describe('which command, such as bg1; may be left out while there is only one'),
  from: z
    .int()
    .optional()
    .describe('output: the byte to read from, as a result has given it; without it, the end of the output'),
  pattern: z.string().optional().describe('wait: a regular expression for a line that it prints'),
  port: z.int().min(1).max(65535).optional().describe('wait: a port that it listens on'),
  timeout: z
    .number()
    .positive()
    .max(mostSeconds)
    .default(usuallySeconds)
    .describe(`wait: for at most so many seconds, up to ${mostSeconds}`),
})
type BackgroundInput = z.infer<typeof BackgroundInput>

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: ['bash_output', 'task_output', 'get_terminal_output', 'check_background', 'background_output'],
  arguments: {
    id: ['bash_id', 'shell_id', 'task_id', 'command_id', 'background_id'],
    from: ['offset', 'since'],
    pattern: ['filter', 'until', 'regex'],
    timeout: ['timeout_seconds', 'seconds'],
  },
  main: 'id',
  adapt: withAction,
}

/** Called as a tool that blocks, it waits. */
function withAction(input: JsonObject): JsonObject {
  const { block, ...rest } = input
  return block === true && rest['action'] === undefined ? { ...rest, action: 'wait' } : input
}

/** Reads, awaits and stops background commands. What they may touch was decided when they were started. */
export function backgroundTool(background: BackgroundCommands): Tool<BackgroundInput> {
  return {
    name: 'background',
    title: 'Background commands',
    description:
      'Read the output of a command that bash has started in the background, wait for it, stop it, or list all of them. ' +
      'Commands that bash runs, and fetch, reach its ports at 127.0.0.1.',
    input: BackgroundInput,
    aliases,
    effect: 'none',
    examine: async (input, { sessionId = '' }) => examine(background, input, sessionId),
    run: async ({ input }, context) => run(background, input, context),
  }
}

function examine(
  background: BackgroundCommands,
  input: BackgroundInput,
  sessionId: string,
): Examination<BackgroundInput> {
  if (input.pattern !== undefined) {
    const pattern = linePattern(input.pattern, { ignoreCase: false })
    if (typeof pattern === 'string') return { valid: false, message: pattern }
  }
  const found = input.action === 'list' ? undefined : meant(background, input.id, sessionId)
  if (typeof found === 'string') return { valid: false, message: found }
  return { valid: true, input: { ...input, ...(found && { id: found.id }) }, effect: 'none', paths: [], intent: [] }
}

/** The command that is meant, or why it is not clear. */
function meant(background: BackgroundCommands, id: string | undefined, sessionId: string): BackgroundNow | string {
  const all = background.now(sessionId)
  const living = all.filter(({ ended }) => ended === undefined)
  const [only, ...others] = living.length > 0 ? living : all.slice(-1)
  const found = id === undefined ? (others.length === 0 ? only : undefined) : all.find((each) => each.id === id)
  if (found !== undefined) return found
  if (all.length === 0) return 'There is no background command. Start one: bash with background: true.'
  const known = `There are: ${all.map((each) => each.id).join(', ')}.`
  return id === undefined ? `There is more than one; say which by its id. ${known}` : `There is no ${id}. ${known}`
}

async function run(background: BackgroundCommands, input: BackgroundInput, context: ToolContext): Promise<ToolResult> {
  const { sessionId = '' } = context
  const { action, id = '' } = input
  switch (action) {
    case 'list':
      return listed(background, sessionId)
    case 'stop': {
      const isOver = await background.stop(sessionId, id)
      const text = isOver ? rest(background, sessionId, id) : `${id} could not be stopped. It goes on.`
      return { outcome: isOver ? 'ok' : 'failed', text }
    }
    case 'output':
      return output(background, sessionId, input)
    case 'wait':
      return wait(background, sessionId, input, context)
    default:
      return action satisfies never
  }
}

function listed(background: BackgroundCommands, sessionId: string): ToolResult {
  const all = background.now(sessionId)
  newsOf(background, sessionId)
  if (all.length === 0) return { outcome: 'ok', text: 'There is no background command.' }
  return { outcome: 'ok', text: all.map((each) => `${each.id}: ${each.command}\n${standingLine(each)}`).join('\n') }
}

function output(background: BackgroundCommands, sessionId: string, { id = '', from }: BackgroundInput): ToolResult {
  const part = background.output(sessionId, id, from ?? -shownBytes, shownBytes)
  if (part === undefined) return { outcome: 'failed', text: `There is no ${id}.` }
  const cut = part.cut > 0 ? [`[${part.cut} bytes before this are not kept.]`] : []
  const range = `[bytes ${part.from} to ${part.next} of ${part.total}; what comes next: from: ${part.next}]`
  const lines = [...cut, part.text.trimEnd(), range, ...standing(background, sessionId, id)]
  return { outcome: 'ok', text: lines.filter((line) => line !== '').join('\n') }
}

function standing(background: BackgroundCommands, sessionId: string, id: string): readonly string[] {
  newsOf(background, sessionId)
  const now = background.now(sessionId).find((each) => each.id === id)
  return now === undefined ? [] : [standingLine(now)]
}

/** The end of the output, and where the command stands. */
function rest(background: BackgroundCommands, sessionId: string, id: string): string {
  const part = background.output(sessionId, id, -endBytes, endBytes)
  return [part?.text.trimEnd() ?? '', ...standing(background, sessionId, id)].filter((line) => line !== '').join('\n')
}

const endBytes = 4000

async function wait(
  background: BackgroundCommands,
  sessionId: string,
  { id = '', pattern: text, port, timeout }: BackgroundInput,
  { signal }: ToolContext,
): Promise<ToolResult> {
  const pattern = text === undefined ? undefined : linePattern(text, { ignoreCase: false })
  if (typeof pattern === 'string') return { outcome: 'failed', text: pattern }
  let offset = 0
  let unfinished = ''
  let found: string | undefined
  const isPrinted = () => {
    if (pattern === undefined) return false
    while (found === undefined) {
      const part = background.output(sessionId, id, offset, readBytes)
      if (part === undefined || part.next === offset) break
      offset = part.next
      const lines = (unfinished + part.text).split('\n')
      unfinished = (lines.at(-1) ?? '').slice(-longestLine)
      const [match] =
        pattern.matchesIn(
          lines.map((line) => line.slice(0, longestLine)),
          1,
        ) ?? []
      if (match !== undefined) found = lines[match.line]
    }
    return found !== undefined
  }
  const now = () => background.now(sessionId).find((each) => each.id === id)
  const listens = () => port !== undefined && (now()?.ports ?? []).some((each) => each.port === port)
  const isOver = () => now()?.ended !== undefined
  const ended = await untilSo(() => isPrinted() || listens() || isOver(), { ms: timeout * 1000, signal })
  if (ended === 'cancelled') return { outcome: 'interrupted', text: 'Waiting was cancelled. The command goes on.' }
  const met = isPrinted() || listens() || (isOver() && text === undefined && port === undefined)
  const what = [
    ...(found === undefined ? [] : [`It printed: ${found.slice(0, 500)}`]),
    ...(listens() ? [`It listens on port ${port}.`] : []),
    ...(ended === 'timed_out' ? [`Not so after ${timeout} s.`] : []),
    ...(isOver() && !met ? ['It has ended before that.'] : []),
  ]
  return { outcome: met ? 'ok' : 'failed', text: [...what, rest(background, sessionId, id)].join('\n') }
}

const longestLine = 4000
