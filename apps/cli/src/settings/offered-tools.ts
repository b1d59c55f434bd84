import { type OfferedTools, offerTools, type WantedAgents, type WantedTools } from '@loader/agent/offer-tools'
import { UsageError } from '../arguments/usage-error.ts'
import { ownerVariable } from './owner-variable.ts'
import type { Settings } from './settings.ts'

type Wanted = NonNullable<Settings['tools']>

const names = ['background', 'background:keep', 'fetch', 'agent']

/** The tools of `--tools background,fetch`. They come before those of settings, one by one. */
function toolsGiven(values: readonly string[]): Wanted {
  const wanted: Wanted = {}
  for (const name of values.flatMap((value) => value.split(',')).map((each) => each.trim())) {
    if (!names.includes(name)) throw new UsageError(`--tools ${name}: there are ${names.join(', ')}.`, '')
    if (name === 'fetch') wanted.fetch = true
    else if (name === 'agent') wanted.agent = true
    else wanted.background = name === 'background' ? true : 'keep'
  }
  return wanted
}

/** Reads the kinds of agents, where agents are wanted. */
export type KindsOfAgents = () => Promise<Pick<WantedAgents, 'kinds' | 'backendOf'>>

/** The same for an agent. Absent where nothing is wanted, so that such an agent is made as ever. */
export async function offeredTools(
  settings: Settings,
  values: readonly string[],
  kinds: KindsOfAgents,
): Promise<{ readonly offered?: OfferedTools }> {
  const given = toolsGiven(values)
  const { background = false, fetch = false, agent = false } = { ...settings.tools, ...given }
  if (background === false && !fetch && agent === false) return {}
  const keeper = background === 'keep' ? ownerProgram() : undefined
  // The flag asks for agents, and leaves their limits to the settings.
  const limits = typeof settings.tools?.agent === 'object' ? settings.tools.agent : {}
  const agents = agent === false ? {} : { agents: { ...(await kinds()), limits: defined(limits) } }
  return { offered: offerTools({ background: background !== false, fetch, ...agents, ...(keeper && { keeper }) }) }
}

function defined({ depth, number }: { readonly depth?: number | undefined; readonly number?: number | undefined }) {
  return { ...(depth !== undefined && { depth }), ...(number !== undefined && { number }) }
}

/** This command, as it was started. */
function ownerProgram(): NonNullable<WantedTools['keeper']> {
  const [, script = ''] = process.argv
  return {
    program: process.execPath,
    arguments: [...process.execArgv, script, 'ps'],
    variables: { [ownerVariable]: '1' },
  }
}
