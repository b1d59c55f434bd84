import { PermissionMode } from '@loader/session-core/coding'
import * as z from 'zod'
import { amountGiven } from '../arguments/amount-given.ts'
import { wholeNumber } from '../arguments/whole-number.ts'
import { flagRules } from '../permissions/flag-rules.ts'
import type { Settings } from '../settings/settings.ts'
import type { Beginning } from './beginning.ts'

/** How the agent of a run works: the settings that concern it, overridden by the command line. */
export function configOf(settings: Settings, { given }: Beginning) {
  const {
    model: _model,
    providers: _providers,
    sessions: _sessions,
    store: _store,
    walls: _walls,
    tools: _tools,
    prices: _prices,
    fallbackModel: _fallbackModel,
    maxBudgetUsd,
    unknownPrices = 'refuse',
    keys: _keys,
    notify: _notify,
    theme: _theme,
    mcpServers: _mcpServers,
    hooks: _hooks,
    skills: _skills,
    permissionMode,
    limits,
    ...rest
  } = settings
  const asked = given.value('permission-mode')
  const mode = z.optional(PermissionMode).parse(asked === 'plan' ? undefined : asked) ?? permissionMode
  const maxIterations = wholeNumber(given, 'max-turns')
  const usd = amountGiven(given, 'max-budget-usd') ?? maxBudgetUsd
  return {
    ...rest,
    ...(given.has('accept') && { accept: given.values('accept').slice() }),
    ...(usd !== undefined && { budget: { usd, unknownPrices } }),
    limits: { ...limits, ...(maxIterations !== undefined && { maxIterations }) },
    rules: flagRules(given),
    ...(mode !== undefined && { permissionMode: mode }),
  }
}
