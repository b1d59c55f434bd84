import type { OpenCall } from '@loader/session-core'
import type { Effect, Reach, TouchedPath } from '@loader/session-core/coding'
import type * as z from 'zod'
import { isObject, pathHint } from './input-summary.ts'
import { type KnownTools, usualTools } from './rules/known-tools.ts'
import { type KnownPath, knownPath } from './rules/path-pattern.ts'
import { readShell, type ShellReading } from './shell/read-shell.ts'

/** The parts of a call that permissions depend on; an open call has them. */
export interface PermissionCall {
  readonly call: Pick<OpenCall['call'], 'name' | 'input'>
  readonly examined?: OpenCall['examined']
}

/** Where a call runs. Without a root, rules for paths never allow. */
export interface PermissionPlace {
  /** Real path of the workspace. */
  readonly root?: string
  /** Real path of the user's own folder. */
  readonly home?: string
}

/** What is known about a call before it runs. */
export interface CallFacts extends PermissionPlace {
  readonly name: string
  readonly input: OpenCall['call']['input']
  readonly tools: KnownTools
  readonly effect: Effect
  readonly reach: Reach
  readonly paths: readonly Readonly<z.infer<typeof TouchedPath>>[]
  /** The hosts that it asks. */
  readonly hosts: readonly string[]
  readonly hint?: string
  /** Why the call is invalid and cannot run under any rules. */
  readonly invalid?: string
  readonly shell?: ShellFacts
}

export interface ShellFacts {
  readonly command: string
  readonly reading: ShellReading
}

/** A call that was not examined is assumed to be able to do anything. */
export function callFacts(
  { call, examined }: PermissionCall,
  place: PermissionPlace = {},
  tools: KnownTools = usualTools,
): CallFacts {
  const { name, input } = call
  const { effect = 'unknown', paths = [], hosts = [], command = commandIn(call, tools) } = examined ?? {}
  const reach = examined?.reach ?? usualReach(effect, examined !== undefined && command !== undefined, paths)
  const hint = pathHint(input)
  const known = {
    ...(hint !== undefined && { hint }),
    ...(examined?.invalid !== undefined && { invalid: examined.invalid }),
  }
  const facts = { ...place, name, input, tools, effect, reach, paths, hosts, ...known }
  return command === undefined ? facts : { ...facts, shell: { command, reading: readShell(command) } }
}

/** The reach of calls that were recorded before reaches existed. */
function usualReach(effect: Effect, isCommand: boolean, paths: CallFacts['paths']): Reach {
  if (effect === 'none' || effect === 'probe') return 'look'
  if (isCommand) return 'work'
  return effect === 'write' && paths.every(({ inside }) => inside) ? 'work' : 'open'
}

function commandIn({ name, input }: PermissionCall['call'], tools: KnownTools): string | undefined {
  if (tools.get(name)?.rule?.takes !== 'command' || !isObject(input)) return undefined
  return typeof input['command'] === 'string' ? input['command'] : undefined
}

/** All paths that the call is known to touch. */
export function pathsOf({ paths, hint, root }: CallFacts): KnownPath[] {
  const touched = paths.map(({ path }) => knownPath(path, root))
  return hint === undefined ? touched : [...touched, knownPath(hint, root)]
}
