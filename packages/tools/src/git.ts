import * as z from 'zod'
import type { JsonObject, Signal } from '@loader/session-core'
import type { Examination, Tool, ToolAliases, ToolResult } from '@loader/session-core/coding'
import {
  childVariables,
  commandFolder,
  type EndedProgram,
  harmlessVariables,
  KeptOutput,
  type ProcessOptions,
  programOnPath,
  realRoot,
  repositoryAbove,
  runProgram,
} from '@loader/workspace'
import { workingFolder } from './calls/spellings.ts'
import { checkArguments } from './git/check-arguments.ts'
import { gitActions } from './git/options.ts'
import { ignoredRevisionsFault, gitSettings } from './git/settings.ts'
import { isList } from './calls/is-list.ts'

const defaultSeconds = 30
const mostSeconds = 300
const outputCap = { headBytes: 24_000, tailBytes: 6_000 }

const GitInput = z.object({
  action: z.enum(gitActions).describe('what to look at'),
  args: z.array(z.string()).default([]).describe('its arguments, such as ["--oneline", "-5"]'),
  cwd: z.string().default('.').describe('the folder to look from, relative to the workspace'),
  timeout: z.number().positive().max(mostSeconds).default(defaultSeconds).describe('seconds after which it is stopped'),
})
export type GitInput = z.infer<typeof GitInput>

/** Where the tool `git` works, and the environment that git receives. */
export interface GitOptions extends Pick<ProcessOptions, 'variables' | 'passVariables'> {
  readonly root: string
}

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: ['git_command', 'run_git'],
  arguments: {
    action: ['subcommand', 'command', 'cmd'],
    args: ['arguments', 'argv', 'options'],
    cwd: workingFolder,
    timeout: ['timeout_seconds'],
  },
  main: 'action',
  adapt: withAction,
}

/**
 * Reads a git repository.
 *
 * 1. It writes nothing, not even the index, which git normally refreshes.
 * 2. Git runs no other program, even if the repository is configured to: no hook, filter, pager, helper or signature
 *    check.
 */
export function gitTool({ root, ...processes }: GitOptions): Tool<GitInput> {
  return {
    name: 'git',
    title: 'Look at the repository',
    description:
      `Look at the git repository: ${gitActions.join(', ')}. There is no shell, and nothing is changed. ` +
      'Use bash for what changes the repository.',
    input: GitInput,
    aliases,
    effect: 'probe',
    examine: async (input) => examine(root, input),
    run: async ({ input, paths }, { signal }) => run(root, processes, input, paths[0]?.path, signal),
  }
}

function examine(root: string, input: GitInput): Examination<GitInput> {
  const folder = commandFolder(root, input.cwd)
  if (typeof folder === 'string') return { valid: false, message: folder }
  const checked = checkArguments(input.action, input.args, { root: realRoot(root), cwd: folder.path })
  if (checked.kind === 'refused') return { valid: false, message: checked.why }
  if (repositoryAbove(folder.path) === undefined) {
    return { valid: false, message: `${folder.shown} does not belong to a git repository.` }
  }
  return {
    valid: true,
    input,
    effect: 'probe',
    paths: [{ path: folder.path, inside: folder.inside && !folder.guarded }],
    intent: [],
    preview: ['git', ...checked.arguments].join(' '),
  }
}

async function run(
  root: string,
  processes: ProcessOptions,
  { action, args, cwd, timeout }: GitInput,
  examined: string | undefined,
  signal: Signal | undefined,
): Promise<ToolResult> {
  const folder = commandFolder(root, cwd)
  if (typeof folder === 'string') return failed(folder)
  if (folder.path !== examined) return failed(`${cwd} leads somewhere else than when it was looked at.`)
  const checked = checkArguments(action, args, { root: realRoot(root), cwd: folder.path })
  if (checked.kind === 'refused') return failed(checked.why)
  const repository = repositoryAbove(folder.path)
  if (repository === undefined) return failed(`${folder.shown} does not belong to a git repository.`)
  const variables = childVariables(processes)
  const program = programOnPath('git', variables, realRoot(root))
  if (program === undefined) return failed('git is not installed. Use glob, grep and read instead.')
  const place = { program, cwd: folder.path, timeoutMs: timeout * 1000, signal }
  const settings = await gitSettings(place, harmlessVariables(variables, repository))
  if (signal?.aborted) return { outcome: 'interrupted', text: 'It was cancelled.' }
  if (typeof settings === 'string') return failed(settings)
  const fault = action === 'blame' ? ignoredRevisionsFault(root, repository, settings) : undefined
  if (fault !== undefined) return failed(fault)
  const output = new KeptOutput(outputCap)
  const ended = await runProgram({
    ...place,
    arguments: ['--no-pager', ...checked.arguments],
    variables: harmlessVariables(variables, repository, [...new Set(settings.map(([name]) => name))]),
    onOutput: (chunk) => {
      output.add(chunk)
      return 'more'
    },
  })
  return resultOf(ended, output, timeout)
}

function resultOf({ ending, errors }: EndedProgram, output: KeptOutput, timeout: number): ToolResult {
  const printed = output.text().trimEnd()
  const metadata = { exitCode: ending.how === 'exited' ? ending.exitCode : null, truncated: output.cutBytes > 0 }
  const note = (text: string) => [printed, `[${text}]`].filter((part) => part !== '').join('\n')
  switch (ending.how) {
    case 'exited': {
      if (ending.exitCode === 0) return { outcome: 'ok', text: printed === '' ? '(no output)' : printed, metadata }
      const why = errors.trim() === '' ? '' : `: ${errors.trim()}`
      return { outcome: 'failed', text: note(`Exit code ${ending.exitCode}${why}`), metadata }
    }
    case 'cancelled':
      return { outcome: 'interrupted', text: note('It was cancelled.'), metadata }
    case 'timed_out':
      return { outcome: 'failed', text: note(`It was stopped after ${timeout} s, its time limit.`), metadata }
    case 'killed':
      return { outcome: 'failed', text: note(`It was ended by ${ending.signal}.`), metadata }
    case 'not_started':
      return { outcome: 'failed', text: `git could not be started: ${ending.why}.`, metadata }
    case 'enough':
      return { outcome: 'ok', text: printed, metadata }
    default:
      return ending satisfies never
  }
}

function failed(text: string): ToolResult {
  return { outcome: 'failed', text }
}

/** Some models write `git log --oneline` as one text. A text with quotes is not split. */
function withAction(input: JsonObject): JsonObject {
  const { action, args } = input
  if (typeof args === 'string') return withAction({ ...input, args: args.split(/\s+/).filter((word) => word !== '') })
  if (typeof action !== 'string' || /["'\\]/.test(action)) return input
  const [first, ...rest] = action
    .replace(/^\s*git\s+/, '')
    .trim()
    .split(/\s+/)
  return {
    ...input,
    action: first ?? action,
    ...(rest.length > 0 && { args: [...rest, ...(isList(args) ? args : [])] }),
  }
}
