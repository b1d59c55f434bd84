import type { PermissionRule } from '@loader/session-core/coding'
import { ruleText } from '@loader/workflow'
import { addRule, projectRulesFile } from '../permissions/rules-files.ts'
import { writtenForm } from '../permissions/written-form.ts'
import type { Places } from '../places/places.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { marked } from '../screen/hanging.ts'
import { isTrusted } from '../settings/trust.ts'

/** Adds a rule that the user allowed for good to those of the project, and says what this means. */
export function keepRule(rule: PermissionRule, places: Places, look: LineStyle): string[] {
  const file = projectRulesFile(places)
  const written = writtenForm(rule)
  try {
    addRule(file, rule.permit, written)
  } catch (error) {
    // Only `LoaderError` and system errors are expected here. The user's answer holds even if storing the rule fails.
    if (!(error instanceof Error) || !('code' in error)) throw error
    return note(`The rule holds in this session only: ${error.message}`, look)
  }
  const waits = rule.permit === 'allow' && !isTrusted(places.config, places.root)
  return [
    ...note(`kept in ${file}: ${rule.permit} ${typeof written === 'string' ? written : ruleText(rule)}`, look),
    ...(waits ? note('it counts in later sessions once this project is trusted: /permissions trust', look) : []),
  ]
}

function note(text: string, { paint, glyphs, columns }: LineStyle): string[] {
  const style = (line: string) => paint('dim', line)
  return marked(glyphs.decision, text, { columns, paint: style, paintMark: style })
}
