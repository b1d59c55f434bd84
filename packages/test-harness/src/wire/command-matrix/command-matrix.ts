import type { Signal } from '@loader/session-core'
import type { WireScriptSource } from '../wire-script.ts'
import { boundariesOf, type CommandBoundary } from './boundary.ts'
import { type Commands, type CommandLifeOptions, live } from './life.ts'

/** The commands of an agent to be killed, the script of its model, and which boundaries to try. */
export interface CommandMatrixOptions extends Commands {
  /** One script, or several by name. Unless they say otherwise, their lines go by the conversation. */
  readonly script: WireScriptSource | { readonly scripts: Readonly<Record<string, WireScriptSource>> }
  /** Only these boundaries, by number: to examine a single failure. */
  readonly only?: readonly number[]
  /** The time limit for each command; default: a minute. */
  readonly timeoutMilliseconds?: number
  /** How long the agent stays alive after an answer was sent completely; default: not at all. */
  readonly delayMilliseconds?: number
  /** Called with every result; the first is that of the run without a crash. */
  readonly onResult?: (result: CommandResult) => void
  readonly signal?: Signal
}

/** The result of one run of an agent. Without problems it passed. */
export interface CommandResult {
  /** Absent for the run without a crash. */
  readonly boundary?: CommandBoundary
  readonly name: string
  readonly problems: readonly string[]
}

/** The result of killing an agent at each request to its model. */
export interface CommandMatrix {
  /** How many requests a run without a crash makes. */
  readonly requests: number
  readonly results: readonly CommandResult[]
  /** The results that have problems. */
  readonly failures: readonly CommandResult[]
  /** Descriptions of the points at which the agent was not killed. */
  readonly untried: readonly string[]
}

/**
 * Runs a foreign agent once, then kills its process group before and after the answer to each of its requests, resumes
 * it, and runs the check: each time in a new folder, with a new server.
 */
export async function commandMatrix(options: CommandMatrixOptions): Promise<CommandMatrix> {
  const lives = livesOf(options)
  const results: CommandResult[] = []
  const add = (result: CommandResult) => {
    results.push(result)
    options.onResult?.(result)
  }
  const { requests, problems } = await live(undefined, lives)
  add({ name: 'no crash', problems: requests === 0 ? [...problems, 'the agent asked nothing'] : problems })
  const boundaries = results[0]?.problems.length === 0 ? boundariesOf(requests) : []
  for (const number of options.only ?? boundaries.map((boundary) => boundary.number)) {
    if (results[0]?.problems.length !== 0 || options.signal?.aborted) break
    add(await resultAt(number, boundaries, lives))
  }
  if (options.signal?.aborted) add({ name: 'interrupted', problems: ['nothing more was tried'] })
  const failures = results.filter((result) => result.problems.length > 0)
  const tried = results.flatMap(({ boundary }) => boundary?.number ?? [])
  return { requests, results, failures, untried: untriedOf(boundaries, tried, lives.delayMilliseconds) }
}

/** Boundaries are at the wire: everything an agent does between an answer and its next request counts as one moment. */
function untriedOf(boundaries: readonly CommandBoundary[], tried: readonly number[], delay: number): string[] {
  const others = boundaries.filter(({ number }) => !tried.includes(number)).length
  const inTools =
    delay === 0
      ? 'the time inside of a tool: the agent is killed at once when an answer was sent, unless it lives on by a delay'
      : `the time inside of a tool, but for the moment ${delay} ms behind each answer`
  return [...(others === 0 ? [] : [`${others} other boundaries`]), inTools]
}

function livesOf({ script, run, resume, check, ...options }: CommandMatrixOptions): CommandLifeOptions {
  const sources = 'scripts' in script ? script.scripts : { default: script }
  const scripts = Object.entries(sources).map(([name, source]) => [
    name,
    { ...source, order: source.order ?? ('conversation' as const) },
  ])
  return {
    scripts: Object.fromEntries(scripts),
    run,
    resume,
    check,
    timeoutMilliseconds: options.timeoutMilliseconds ?? 60_000,
    delayMilliseconds: options.delayMilliseconds ?? 0,
    signal: options.signal,
  }
}

async function resultAt(
  number: number,
  boundaries: readonly CommandBoundary[],
  lives: CommandLifeOptions,
): Promise<CommandResult> {
  const boundary = boundaries[number - 1]
  if (boundary === undefined)
    return {
      name: `boundary ${number}`,
      problems: [`it is not there: the agent has those from 1 to ${boundaries.length}`],
    }
  const { problems } = await live(boundary, lives)
  return { boundary, name: boundary.name, problems }
}
