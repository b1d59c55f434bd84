import type { Signal } from '@loader/session-core'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { WireScriptSource } from '../wire-script.ts'
import { type BoundaryAnswer, type WireServer, wireServer } from '../wire-server.ts'
import type { CommandBoundary } from './boundary.ts'
import { failureOf, type RunningCommand, startCommand } from './command.ts'

export interface Commands {
  readonly run: string
  readonly resume: string
  readonly check: string
}

export interface CommandLifeOptions extends Commands {
  readonly scripts: Readonly<Record<string, WireScriptSource>>
  readonly timeoutMilliseconds: number
  /** How long an agent stays alive after an answer was sent completely. */
  readonly delayMilliseconds: number
  readonly signal: Signal | undefined
}

export interface LifeEnd {
  /** Requests to models, in all lives. */
  readonly requests: number
  readonly problems: readonly string[]
}

/** Runs one agent in a new folder: start, death if any, resume, check. */
export async function live(death: CommandBoundary | undefined, options: CommandLifeOptions): Promise<LifeEnd> {
  const folder = await mkdtemp(join(tmpdir(), 'loader-agent-'))
  const outputs = await mkdtemp(join(tmpdir(), 'loader-agent-output-'))
  let running: RunningCommand | undefined
  let isDead = false
  const die = async (after: number): Promise<BoundaryAnswer> => {
    isDead = true
    if (after > 0) await setTimeout(after)
    running?.kill()
    await running?.ended
    return 'drop'
  }
  await using server = await wireServer({
    scripts: options.scripts,
    boundary: async (moment) => {
      if (isDead || death === undefined || moment !== death.moment) return
      if (server.requests.length !== death.request) return
      return die(moment === 'after' ? options.delayMilliseconds : 0)
    },
  })
  try {
    const { start, succeed } = commandsIn(folder, outputs, server, death, options)
    running = start('run', options.run)
    const first = await running.ended
    // An agent may end by itself between the last answer and the signal.
    const isReached = isDead || (death?.moment === 'after' && server.requests.length >= death.request)
    if (death !== undefined && !isReached) {
      const ending = failureOf('the run', first, options.timeoutMilliseconds) ?? 'it came to its end'
      return { requests: server.requests.length, problems: [`the run was not killed at ${death.name}: ${ending}`] }
    }
    const problems = [
      death === undefined ? failureOf('the run', first, options.timeoutMilliseconds) : undefined,
      death === undefined ? undefined : await succeed('resume', options.resume),
      await succeed('check', options.check),
    ].filter((problem) => problem !== undefined)
    return { requests: server.requests.length, problems: [...problems, ...server.problems()] }
  } finally {
    running?.kill()
    await rm(folder, { recursive: true, force: true })
    await rm(outputs, { recursive: true, force: true })
  }
}

function commandsIn(
  cwd: string,
  outputs: string,
  server: WireServer,
  death: CommandBoundary | undefined,
  options: CommandLifeOptions,
) {
  const { timeoutMilliseconds, signal } = options
  const env = {
    ...process.env,
    LOADER_MOCK_URL: server.url,
    LOADER_BOUNDARY: death?.name ?? '',
    OPENAI_BASE_URL: `${server.url}/v1`,
    OPENAI_API_KEY: keyOf(options.scripts),
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: keyOf(options.scripts),
    GOOGLE_GEMINI_BASE_URL: server.url,
    GEMINI_API_KEY: keyOf(options.scripts),
    OLLAMA_HOST: server.url,
  }
  const start = (name: keyof Commands, command: string) =>
    startCommand(command, { cwd, env, output: join(outputs, name), timeoutMilliseconds, signal })
  const succeed = async (name: keyof Commands, command: string) =>
    failureOf(`the ${name}`, await start(name, command).ended, timeoutMilliseconds)
  return { start, succeed }
}

/** A placeholder key, because clients require one even where the server does not. */
function keyOf(scripts: CommandLifeOptions['scripts']): string {
  return Object.values(scripts).find(({ key }) => key !== undefined)?.key ?? 'sk-scripted'
}
