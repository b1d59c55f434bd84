import type { JsonValue } from '@loader/session-core'
import type { Effect, PermissionMode, PermissionRule, Policy } from '@loader/session-core/coding'
import type { PermitCall, PermitPlace } from '../../src/permission/permit-call.ts'

export const place: PermitPlace = { root: '/w', home: '/home/me' }

export function bash(command: string, input: Readonly<Record<string, JsonValue>> = {}): PermitCall {
  return { call: { name: 'bash', input: { command, ...input } }, examined: { effect: 'unknown', paths: [], command } }
}

/** A call of a tool that is about these paths; they are in the workspace if they begin with its root. */
export function fileCall(name: string, effect: Effect, ...paths: readonly string[]): PermitCall {
  return {
    call: { name, input: { path: paths[0] ?? '' } },
    examined: { effect, paths: paths.map((path) => ({ path, inside: path === '/w' || path.startsWith('/w/') })) },
  }
}

export const policy = (
  mode: PermissionMode,
  rules: readonly PermissionRule[] = [],
  audience: Policy['audience'] = 'user',
): Policy => ({
  permission: {
    mode,
    promptingEnabled: false,
    ruleCounts: { allow: 0, deny: 0, ask: 0 },
    rules: [...rules],
    rulesSource: null,
  },
  limits: {},
  audience,
})

export const allow = (pattern: string): PermissionRule => ({ permit: 'allow', pattern })
export const deny = (pattern: string): PermissionRule => ({ permit: 'deny', pattern })
export const ask = (pattern: string): PermissionRule => ({ permit: 'ask', pattern })
