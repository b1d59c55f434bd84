import type { Examination, Tool, ToolAliases, ToolContext, ToolResult } from '@loader/session-core/coding'
import * as z from 'zod'
import { workingFolder } from './calls/spellings.ts'
import { withCommandText } from './calls/with-command-text.ts'
import { withSeconds } from './calls/with-seconds.ts'
import {
  commandFolder,
  commandSetup,
  type EndedCommand,
  endingNotes,
  type ProcessOptions,
  promiseOf,
  runCommand,
  signalOf,
} from '@loader/workspace'

const defaultSeconds = 120
const mostSeconds = 3600
/** A single argument can have 128 KiB on Linux, and the record of a call is no place for a program either. */
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
  background: z.boolean().default(false).describe('not possible: nothing outlives its command'),
})
export type BashInput = z.infer<typeof BashInput>

export interface BashOptions extends ProcessOptions {
  readonly root: string
}

/** What models call it. */
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

/** Runs shell commands. What a command may do is not judged here. */
export function bashTool({ root, ...processes }: BashOptions): Tool<BashInput> {
  return {
    name: 'bash',
    title: 'Run a command',
    description:
      'Run a command in bash and get what it prints. It starts in the workspace, without input and without a terminal. ' +
      'Nothing that it starts outlives it: there are no background processes. ' +
      `It is stopped after ${defaultSeconds} seconds unless timeout says otherwise.`,
    input: BashInput,
    aliases,
    rule: { names: ['Bash'], takes: 'command' },
    examine: async (input) => examine(root, input),
    run: async ({ input, paths }, context) => run(root, processes, input, paths[0]?.path, context),
  }
}

function examine(root: string, input: BashInput): Examination<BashInput> {
  const fault = faultOf(input)
  if (fault !== undefined) return { valid: false, message: fault }
  const folder = commandFolder(root, input.cwd)
  if (typeof folder === 'string') return { valid: false, message: folder }
  return {
    valid: true,
    input,
    effect: 'unknown',
    paths: [{ path: folder.path, inside: folder.inside && !folder.guarded }],
    intent: [],
    preview: `${input.command}\n(in ${folder.shown}, for at most ${input.timeout} s)`,
    command: input.command,
  }
}

function faultOf({ command, background }: BashInput): string | undefined {
  if (background) {
    return 'There are no background processes. Start it, use it and stop it in one command, or give it a timeout.'
  }
  if (command.trim() === '') return 'The command is empty.'
  if (command.includes('\0')) return 'The command contains a NUL character, which no command can.'
  if (Buffer.byteLength(command) <= longestCommand) return undefined
  return `The command is longer than ${longestCommand} bytes. Write the long part to a file first.`
}

async function run(
  root: string,
  processes: ProcessOptions,
  { command, cwd, timeout }: BashInput,
  examined: string | undefined,
  { signal, onOutput }: Pick<ToolContext, 'signal' | 'onOutput'>,
): Promise<ToolResult> {
  const folder = commandFolder(root, cwd)
  if (typeof folder === 'string') return { outcome: 'failed', text: folder }
  if (folder.path !== examined) {
    return { outcome: 'failed', text: `${cwd} leads somewhere else than when it was looked at. Nothing was run.` }
  }
  const setup = await commandSetup(root, processes)
  const timeoutMs = timeout * 1000
  const request = { ...setup, command, cwd: folder.path, timeoutMs, cap: outputCap, signal, onOutput }
  return result(await runCommand(request), timeoutMs)
}

function result(ended: EndedCommand, timeoutMs: number): ToolResult {
  const { ending, output } = ended
  const notes = endingNotes(ended, timeoutMs).map((note) => `[${note}]`)
  const printed = output.text().trimEnd()
  const shown = printed === '' && ending.how === 'exited' ? '(no output)' : printed
  return {
    outcome: outcomeOf(ended),
    text: [shown, ...notes].filter((part) => part !== '').join('\n'),
    metadata: metadataOf(ended),
  }
}

function outcomeOf({ ending }: EndedCommand): ToolResult['outcome'] {
  if (ending.how === 'cancelled') return 'interrupted'
  return ending.how === 'exited' && ending.exitCode === 0 ? 'ok' : 'failed'
}

function metadataOf(ended: EndedCommand): NonNullable<ToolResult['metadata']> {
  const { ending, output, durationMs, containment } = ended
  const signal = signalOf(ending)
  const gap = promiseOf(containment)
  return {
    exitCode: ending.how === 'exited' ? ending.exitCode : null,
    ended: ending.how,
    durationMs,
    bytes: output.bytes,
    truncated: output.cutBytes > 0,
    sandbox: containment.kind,
    ...(signal === undefined ? {} : { signal }),
    ...(gap === undefined ? {} : { notPromised: gap }),
  }
}
