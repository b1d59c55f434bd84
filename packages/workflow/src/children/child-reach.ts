import type { ChildGrant, ChildPlace, PermissionMode, Policy, Reach } from '@loader/session-core/coding'
import { Reach as Reaches } from '@loader/session-core/coding'
import { permissionOfMode, reachesAsFar } from '../permission/reach.ts'

/** What the caller wants a child to have. Each field can only take away. */
export interface WantedReach {
  /** Names of its tools; absent means those of the parent. */
  readonly tools?: readonly string[] | undefined
  readonly withoutTools?: readonly string[] | undefined
  /** The most that its calls can touch. */
  readonly reach?: Reach | undefined
  readonly place: ChildPlace
}

/** What a session may do, as far as its children depend on it. */
export type ParentReach = Pick<Policy, 'permission' | 'tools'>

/** Tools that belong to one session alone: what they started lives in it. */
const ofOneSession: ReadonlySet<string> = new Set(['background', 'publish'])

/** It looks by the walls around it, in the mode of a child that only looks. */
const looksInWalls = 'bash'

/**
 * What a child may do: what its parent may, reduced to what was asked for. Never more than the parent: the mode
 * permits no call that the parent's does not, the reach is at most that of the parent, and tools are some of the parent's.
 */
export function childReach(parent: ParentReach, wanted: WantedReach): Pick<ChildGrant, 'mode' | 'within' | 'tools'> {
  const { mode, within = 'open' } = parent.permission
  const most = wanted.place === 'look' ? 'look' : (wanted.reach ?? 'open')
  const reach = lesser(within, most)
  return { mode: modeWithin(mode, reach), within: reach, tools: toolsOf(parent, wanted, reach) }
}

function lesser(one: Reach, other: Reach): Reach {
  return reachesAsFar(one, other) ? other : one
}

/** The widest mode that is no wider than the one of the parent, and whose commands stay within a reach. */
function modeWithin(mode: PermissionMode, within: Reach): PermissionMode {
  if (within === 'look') return 'read-only'
  // Commands of these modes run without walls.
  const isUnwalled = mode === 'danger-full-access' || mode === 'allow'
  return isUnwalled && within !== 'open' ? 'workspace-write' : mode
}

function toolsOf({ tools }: ParentReach, wanted: WantedReach, within: Reach): string[] {
  const { names = [], known = [] } = tools ?? {}
  const looks = new Set(known.flatMap(({ name, effect }) => (effect === 'none' || effect === 'probe' ? [name] : [])))
  return names.filter((name) => {
    if (ofOneSession.has(name)) return false
    if (wanted.tools !== undefined && !wanted.tools.includes(name)) return false
    if (wanted.withoutTools?.includes(name) === true) return false
    return within !== 'look' || looks.has(name) || name === looksInWalls || name === 'agent'
  })
}

/** Whether one mode permits nothing that another does not. */
export function isModeWithin(mode: PermissionMode, other: PermissionMode): boolean {
  const order = ['deny', 'ask', 'allow'] as const
  return Reaches.options.every(
    (reach) => order.indexOf(permissionOfMode(mode, reach)) <= order.indexOf(permissionOfMode(other, reach)),
  )
}
