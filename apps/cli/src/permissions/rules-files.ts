import { join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import type { PermissionRule, Permission } from '@loader/session-core/coding'
import { effectiveRules, type EffectiveRules, parseRules, ruleText } from '@loader/workflow'
import * as z from 'zod'
import type { Places } from '../places/places.ts'
import { editFile } from '../settings/edit-file.ts'
import { textOfFile } from '../settings/text-of-file.ts'

const name = 'permission-rules.json'

/** The rules of the user, for every project. */
export function userRulesFile({ config }: Pick<Places, 'config'>): string {
  return join(config, name)
}

/** The rules of one project. They may come from a stranger. */
export function projectRulesFile({ root }: Pick<Places, 'root'>): string {
  return join(root, '.loader', name)
}

/** The rules in a file; none if it does not exist. An invalid file is an error. */
export function rulesIn(file: string): readonly PermissionRule[] {
  const text = textOfFile(file)
  return text === undefined ? [] : parsed(text, file)
}

/** The rules that apply in a project, and those that wait until the user trusts it. */
export function rulesInForce(places: Places, trust: 'trusted' | 'untrusted'): EffectiveRules {
  const user = { origin: 'user' as const, rules: rulesIn(userRulesFile(places)) }
  const project = { origin: 'project' as const, rules: rulesIn(projectRulesFile(places)) }
  return effectiveRules([user, project], trust)
}

/** Adds a rule, either a pattern or an object of conditions. False if it is there already. */
export function addRule(file: string, permit: Permission, rule: unknown): boolean {
  return changeRules(file, permit, (rules) => {
    const added = textOf(permit, rule, file)
    return rules.some((other) => textOf(permit, other, file) === added) ? rules : [...rules, rule]
  })
}

/** Removes a rule, named as lists print it. False if there is none. */
export function removeRule(file: string, permit: Permission, text: string): boolean {
  return changeRules(file, permit, (rules) => rules.filter((rule) => textOf(permit, rule, file) !== text.trim()))
}

const RulesFile = z.looseObject({
  allow: z.array(z.unknown()).optional(),
  deny: z.array(z.unknown()).optional(),
  ask: z.array(z.unknown()).optional(),
})

/** Writes only if the file is valid before and after the change; all other content stays as it is. */
function changeRules(file: string, permit: Permission, change: (rules: unknown[]) => unknown[]): boolean {
  let changed = false
  editFile(file, (text) => {
    if (text !== undefined) parsed(text, file)
    const content = RulesFile.parse(JSON.parse(text?.replace(/^\ufeff/, '') ?? '{}'))
    const before = content[permit] ?? []
    const after = change(before)
    changed = after.length !== before.length
    if (!changed) return undefined
    const written = `${JSON.stringify({ ...content, [permit]: after }, null, 2)}\n`
    parsed(written, file)
    return written
  })
  return changed
}

function textOf(permit: Permission, rule: unknown, file: string): string | undefined {
  const [one] = parsed(JSON.stringify({ [permit]: [rule] }), file)
  return one && ruleText(one)
}

function parsed(text: string, file: string): readonly PermissionRule[] {
  const result = parseRules(text, file)
  if (result.ok) return result.rules
  const { line, column, reason } = result.fault
  throw new LoaderError('invalid_config', `${file}:${line}:${column}: ${reason}. No rule holds until this is mended.`)
}
