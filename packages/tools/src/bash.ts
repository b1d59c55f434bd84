import * as z from 'zod'
import type { Examination, Reach, Tool, ToolAliases, ToolContext, ToolResult } from '@loader/session-core/coding'
import {
  type BackgroundCommands,
  commandFolder,
  type EndedWalledCommand,
  endingNotes,
  type ProcessOptions,
  promiseOf,
  signalOf,
  type WallsAround,
  wallsAround,
  withheldNotes,
} from '@loader/workspace'
import type { JsonObject } from '@loader/session-core'
import { startInBackground } from './background/start.ts'
import { withNews } from './background/news.ts'
import { workingFolder } from './calls/spellings.ts'
import { isList } from './calls/is-list.ts'

const defaultSeconds = 120
const mostSeconds = 3600
/** Linux allows 128 KiB for a single argument, and a longer command should be a file, not part of a call's record. */
const longestCommand = 60_000
const outputCap = { headBytes: 10_000, tailBytes: 20_000 }

const BashInput = z.object({
  command: z.string().describe('the command, for bash'),
  cwd: z.string().default('.').describe('the folder to run it in, relative to the workspace'),
  timeout: z
    .number()
    .positive()
    .max(mostSeconds)
    .default(defaultSeconds)
    .describe(`seconds after which it is stopped, at most ${mostSeconds}`),
  reach: z
    .enum(['work', 'network', 'open'])
    .optional()
    .describe(
      'what it has to touch: work can change the workspace, without a network; network is the same with one; open is ' +
        'the whole machine as the user. More than work is asked about. Leave it out unless a result says otherwise',
    ),
  why: z.string().optional().describe('for network and open: why it needs that, in a few words for the user'),
  background: z.boolean().default(false).describe('not possible: nothing outlives its command'),
})
export type BashInput = z.infer<typeof BashInput>

/** The same for an agent that has background commands. */
const BashWithBackground = BashInput.extend({
  background: z
    .boolean()
    .default(false)
    .describe('go on while you do other things, for servers and watchers; the tool background reads, waits and stops'),
})

export interface BashOptions extends ProcessOptions {
  readonly root: string
  /** The walls in which commands run. Absent means the walls of this machine. */
  readonly walls?: WallsAround
  /** Absent means that there are no background commands. */
  readonly background?: BackgroundCommands
}

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: [
    'shell',
    'sh',
    'run',
    'run_command',
    'run_shell_command',
    'run_terminal_cmd',
    'run_in_terminal',
    'execute',
    'execute_command',
    'execute_bash',
    'terminal',
    'exec',
    'exec_command',
    'local_shell',
    'command',
  ],
  arguments: {
    command: ['cmd', 'script', 'commands', 'code', 'bash', 'input'],
    cwd: workingFolder,
    timeout: ['timeout_seconds', 'timeout_secs', 'timeout_s'],
  },
  main: 'command',
  adapt: (input) => withSeconds(withCommandText(input)),
}

const withoutBackground = 'Nothing that it starts outlives it: there are no background processes.'
const withBackground = 'Nothing that it starts outlives it, unless background is true: then you get an id at once.'

/** Runs shell commands. Whether a command may run is decided elsewhere. */
export function bashTool(options: BashOptions): Tool<BashInput> {
  const { root, walls = wallsAround(options), background } = options
  return {
    name: 'bash',
    title: 'Run a command',
    description:
      'Run a command in bash and get what it prints. It starts in the workspace, without input and without a terminal. ' +
      'It can change the workspace and nothing else, and has no network; reach asks for more, why says what for. ' +
      `${background === undefined ? withoutBackground : withBackground} ` +
      `It is stopped after ${defaultSeconds} seconds unless timeout says otherwise.`,
    input: background === undefined ? BashInput : BashWithBackground,
    aliases,
    rule: { names: ['Bash'], takes: 'command' },
    examine: async (input) => examine(root, input, background),
    run: async ({ input, paths }, context) => {
      if (input.background && background !== undefined) {
        return startInBackground(background, { ...input, root, examined: paths[0]?.path }, context)
      }
      await background?.findLoopback(context.sessionId ?? '')
      const result = await run(root, walls, input, paths[0]?.path, context)
      return background === undefined ? result : withNews(result, background, context.sessionId ?? '')
    },
  }
}

function examine(root: string, input: BashInput, background?: BackgroundCommands): Examination<BashInput> {
  const fault = faultOf(input, background)
  if (fault !== undefined) return { valid: false, message: fault }
  const folder = commandFolder(root, input.cwd)
  if (typeof folder === 'string') return { valid: false, message: folder }
  return {
    valid: true,
    input,
    effect: 'unknown',
    paths: [{ path: folder.path, inside: folder.inside && !folder.guarded }],
    intent: [],
    preview: `${input.command}\n(in ${folder.shown}, ${spanOf(input)}${reaches[input.reach ?? 'work']})`,
    command: input.command,
    ...(input.reach && { reach: input.reach }),
    ...(input.why !== undefined && { why: input.why }),
  }
}

function spanOf({ background, timeout }: BashInput): string {
  return background ? 'in the background, until it is stopped' : `for at most ${timeout} s`
}

const reaches = {
  work: '',
  network: ', with the network',
  open: ', with everything on this machine',
} as const satisfies Record<NonNullable<BashInput['reach']>, string>

function faultOf({ command, background: wanted }: BashInput, background?: BackgroundCommands): string | undefined {
  if (wanted && background === undefined) {
    return 'There are no background processes. Start it, use it and stop it in one command, or give it a timeout.'
  }
  if (command.trim() === '') return 'The command is empty.'
  if (command.includes('\0')) return 'The command contains a NUL character, which no command can.'
  if (Buffer.byteLength(command) <= longestCommand) return undefined
  return `The command is longer than ${longestCommand} bytes. Write the long part to a file first.`
}

async function run(
  root: string,
  walls: WallsAround,
  { command, cwd, timeout }: BashInput,
  examined: string | undefined,
  { signal, onOutput, reach = 'work', sessionId }: Pick<ToolContext, 'signal' | 'onOutput' | 'reach' | 'sessionId'>,
): Promise<ToolResult> {
  const folder = commandFolder(root, cwd)
  if (typeof folder === 'string') return { outcome: 'failed', text: folder }
  if (folder.path !== examined) {
    return { outcome: 'failed', text: `${cwd} leads somewhere else than when it was looked at. Nothing was run.` }
  }
  const timeoutMs = timeout * 1000
  const request = { command, cwd: folder.path, timeoutMs, cap: outputCap, signal, onOutput }
  return result(await walls.run(request, reach, sessionId), timeoutMs, reach)
}

function result(ended: EndedWalledCommand, timeoutMs: number, reach: Reach): ToolResult {
  const { ending, output, secretsReplaced } = ended
  const notes = [...endingNotes(ended, timeoutMs), ...withheldNotes(ended, reach)].map((note) => `[${note}]`)
  const printed = output.text().trimEnd()
  const shown = printed === '' && ending.how === 'exited' ? '(no output)' : printed
  return {
    outcome: outcomeOf(ended),
    text: [shown, ...notes].filter((part) => part !== '').join('\n'),
    metadata: metadataOf(ended),
    ...(secretsReplaced > 0 && { secretsReplaced }),
  }
}

function outcomeOf({ ending }: EndedWalledCommand): ToolResult['outcome'] {
  if (ending.how === 'cancelled') return 'interrupted'
  return ending.how === 'exited' && ending.exitCode === 0 ? 'ok' : 'failed'
}

function metadataOf(ended: EndedWalledCommand): NonNullable<ToolResult['metadata']> {
  const { ending, output, durationMs, containment, walls } = ended
  const signal = signalOf(ending)
  const gap = promiseOf(containment)
  return {
    exitCode: ending.how === 'exited' ? ending.exitCode : null,
    ended: ending.how,
    durationMs,
    bytes: output.bytes,
    truncated: output.cutBytes > 0,
    sandbox: containment.kind,
    walls: walls.kind,
    ...(signal === undefined ? {} : { signal }),
    ...(gap === undefined ? {} : { notPromised: gap }),
  }
}

/** Some models write `["bash", "-lc", "ls"]` to call a shell. */
function withCommandText(input: JsonObject): JsonObject {
  const { command } = input
  if (!isList(command)) return input
  const words = command.filter((word) => typeof word === 'string')
  const [shell, option, script, ...rest] = words
  const isShell = /^(.*\/)?(ba|z|da)?sh$/.test(shell ?? '') && /^-l?c$/.test(option ?? '')
  if (isShell && script !== undefined && rest.length === 0) return { ...input, command: script }
  return words.length === command.length ? { ...input, command: words.map(quoted).join(' ') } : input
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** A number above the largest timeout is taken as milliseconds. */
function withSeconds(input: JsonObject): JsonObject {
  const timeout = input['timeout'] ?? input['timeout_ms'] ?? input['timeoutMs']
  const isMilliseconds = input['timeout'] === undefined || Number(timeout) > mostSeconds
  return typeof timeout === 'number' && isMilliseconds ? { ...input, timeout: Math.ceil(timeout / 1000) } : input
}
