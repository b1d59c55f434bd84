import type { RuntimeHandle } from '@loader/agent'
import { PermissionMode, type PermissionRule, type Policy } from '@loader/session-core/coding'
import { defaultPermissionMode, permissionOf, ruleText } from '@loader/workflow'
import * as z from 'zod'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { Places } from '../places/places.ts'
import type { ListedRule } from '../schemas/permissions.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { projectRulesFile, rulesInForce } from './rules-files.ts'

export interface PermissionSettings {
  readonly mode: PermissionMode
  readonly trusted: boolean
  readonly rules: readonly PermissionRule[]
  /** Allow rules of the project that do not apply until it is trusted. */
  readonly inert: readonly PermissionRule[]
}

/** The permission settings of the next run in a project. */
export function permissionSettings(places: Places, { environment }: Console, given?: Given): PermissionSettings {
  const { settings, trusted } = loadSettings(places, { environment })
  const asked = z.optional(PermissionMode).parse(given?.value('permission-mode'))
  const { rules, inert } = rulesInForce(places, trusted ? 'trusted' : 'untrusted')
  return { mode: asked ?? settings.permissionMode ?? defaultPermissionMode, trusted, rules, inert }
}

/** The current mode of an agent; the recorded one may be from an earlier start. */
export function permissionModeOf({ config }: Pick<RuntimeHandle, 'config'>): PermissionMode {
  return config.permissionMode ?? defaultPermissionMode
}

export function policyWith(
  { mode, rules, walls }: PermissionSettings & Pick<Policy, 'walls'>,
  audience: Policy['audience'],
): Policy {
  return { permission: permissionOf({ mode, rules }), limits: {}, walls, audience }
}

const order = ['deny', 'ask', 'allow']

/** The rules as lists show them, the strongest first. */
export function listedRules({ rules, inert }: PermissionSettings, places: Places): ListedRule[] {
  const listed = (rule: PermissionRule, holds: boolean): ListedRule => {
    const source = rule.source ?? ''
    const origin = source.startsWith(`${projectRulesFile(places)}:`) ? 'project' : 'user'
    return { permit: rule.permit, rule: ruleText(rule), source, origin, holds }
  }
  return [...rules.map((rule) => listed(rule, true)), ...inert.map((rule) => listed(rule, false))].toSorted(
    (one, other) => order.indexOf(one.permit) - order.indexOf(other.permit),
  )
}
