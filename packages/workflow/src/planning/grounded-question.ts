import type { Grounding } from '@loader/session-core/coding'
import type { ClarifyPressure, ClarifySlot } from './clarify-slots.ts'

/**
 * A question that names the one or two files that the task is most likely about; null if none were found.
 */
export function groundedQuestion(
  slot: ClarifySlot,
  pressure: ClarifyPressure | null,
  { referenced, candidates }: Grounding,
): string | null {
  const [primary, secondary] = [...new Set([...referenced, ...candidates])].map((path) => `\`${path}\``)
  if (primary === undefined) return null
  const both = secondary === undefined ? primary : `${primary} and ${secondary}`
  switch (pressure) {
    case 'example':
      return `Can you show with one example in ${primary} what you mean${about[slot]}?`
    case 'tradeoff':
      return secondary === undefined
        ? `Should the change stay within ${primary}, even if that settles less${about[slot]}?`
        : `Should the change stay within ${primary}, or may it reach into ${secondary}${about[slot]}?`
    case 'assumption':
      return `I would work in ${both} and leave everything else alone. Is that right${about[slot]}?`
    case null:
      return plain(slot, primary, both)
    default:
      return pressure satisfies never
  }
}

const about: Readonly<Record<ClarifySlot, string>> = {
  desired_outcome: ' by the result that you want',
  non_goals: ' about what stays out of scope',
  acceptance_criteria: ' by being done',
  constraints: ' about the conditions to keep to',
  decision_boundaries: ' about where I should ask first',
  likely_touchpoints: ' about the place',
}

function plain(slot: ClarifySlot, primary: string, both: string): string {
  switch (slot) {
    case 'desired_outcome':
      return `What should be different in ${both} when this is done?`
    case 'non_goals':
      return `What in or around ${both} should stay as it is?`
    case 'acceptance_criteria':
      return `Which check should pass once ${primary} is changed?`
    case 'constraints':
      return `Which conditions must changes to ${both} keep to?`
    case 'decision_boundaries':
      return `Which changes to ${both} should I bring to you before I make them?`
    case 'likely_touchpoints':
      return `Is this about ${both}, or about something else?`
    default:
      return slot satisfies never
  }
}
