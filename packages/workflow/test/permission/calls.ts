import type { JsonValue } from '@loader/session-core'
import type { Effect, PermissionMode, PermissionRule, Policy, Reach } from '@loader/session-core/coding'
import { needOf } from '../../src/permission/need-of.ts'
import type { PermissionCall, PermissionPlace } from '../../src/permission/permit-call.ts'

export const place: PermissionPlace = { root: '/w', home: '/home/me' }

const held: NonNullable<Policy['walls']> = { state: 'held', kind: 'bubblewrap', guarantees: [] }

/** A command that asks for this reach, as it is examined under a policy. */
export function bash(command: string, reach?: Reach, under: Policy = policy('workspace-write')): PermissionCall {
  const input: Record<string, JsonValue> = reach === undefined ? { command } : { command, reach }
  const need = needOf({ effect: 'unknown', paths: [], command, ...(reach && { reach }) }, under)
  return { call: { name: 'bash', input }, examined: { paths: [], command, ...need } }
}

/** A call of a tool that is about these paths; they are in the workspace if they begin with its root. */
export function fileCall(name: string, effect: Effect, ...paths: readonly string[]): PermissionCall {
  const touched = paths.map((path) => ({ path, inside: path === '/w' || path.startsWith('/w/') }))
  return {
    call: { name, input: { path: paths[0] ?? '' } },
    examined: { paths: touched, ...needOf({ effect, paths: touched }, policy('workspace-write')) },
  }
}

export const policy = (
  mode: PermissionMode,
  rules: readonly PermissionRule[] = [],
  audience: Policy['audience'] = 'user',
  walls: Policy['walls'] = held,
): Policy => ({
  permission: {
    mode,
    promptingEnabled: false,
    ruleCounts: { allow: 0, deny: 0, ask: 0 },
    rules: [...rules],
    rulesSource: null,
  },
  limits: {},
  ...(walls && { walls }),
  audience,
})

export const allow = (pattern: string, reach?: Reach): PermissionRule => ({
  permit: 'allow',
  pattern,
  ...(reach && { reach }),
})
export const deny = (pattern: string): PermissionRule => ({ permit: 'deny', pattern })
export const ask = (pattern: string): PermissionRule => ({ permit: 'ask', pattern })
