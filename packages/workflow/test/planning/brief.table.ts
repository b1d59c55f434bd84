import type { BriefSection } from '../../src/planning/brief-reading.ts'

export const aliasRows: readonly [heading: string, section: BriefSection][] = [
  ['Task Statement', 'task_statement'],
  ['Task', 'task_statement'],
  ['Desired Outcome', 'desired_outcome'],
  ['Goal', 'desired_outcome'],
  ['In Scope', 'in_scope'],
  ['Scope:', 'in_scope'],
  ['Non Goals', 'non_goals'],
  ['Non-Goals', 'non_goals'],
  ['Out of Scope', 'non_goals'],
  ['OUT OF SCOPE', 'non_goals'],
  ['Decision Boundaries', 'decision_boundaries'],
  ['When to Ask', 'decision_boundaries'],
  ['Constraints', 'constraints'],
  ['3. Constraints', 'constraints'],
  ['Likely Touchpoints', 'likely_touchpoints'],
  ['Touch Points', 'likely_touchpoints'],
  ['Assumptions', 'assumptions'],
  ['Acceptance Criteria', 'acceptance_criteria'],
  ['**Success Criteria**', 'acceptance_criteria'],
  ['Definition of Done', 'acceptance_criteria'],
]

export const layoutRows: readonly [layout: string, text: string][] = [
  ['marked headings', '## Non Goals\n- No new files\n- No renames\n## Constraints\n- Keep it short'],
  ['deeper headings', '### Non Goals ###\n\n* No new files\n* No renames\n\n### Constraints\n1. Keep it short'],
  ['bold headings', '**Non Goals**\n- No new files\n- No renames\n\n**Constraints:**\n- Keep it short'],
  ['numbered bold headings', '1. **Non-Goals**\n- No new files\n- No renames\n2. **Constraints**: Keep it short'],
  ['bulleted bold headings', '- **Out of Scope:**\n  - No new files\n  - No renames\n- **Constraints**: Keep it short'],
  ['plain headings', 'Non-Goals:\n- No new files\n- No renames\n\nConstraints: Keep it short'],
  ['lines of Windows', '## Non Goals\r\n- No new files\r\n- No renames\r\n## Constraints\r\n- Keep it short'],
]

export const itemRows: readonly [layout: string, lines: readonly string[], items: readonly string[]][] = [
  [
    'bullets of all kinds',
    ['- one', '* two', '+ three', '• four', '1. five', '2) six'],
    ['one', 'two', 'three', 'four', 'five', 'six'],
  ],
  ['boxes that are open', ['- [ ] one', '- [ ] two'], ['one', 'two']],
  ['a bullet over two lines', ['- one', '  and more', '- two'], ['one and more', 'two']],
  ['a nested list', ['- one', '  - inner', '  - deeper', '- two'], ['one; inner; deeper', 'two']],
  ['paragraphs', ['one', 'and more', '', 'two'], ['one and more', 'two']],
  ['entries that say nothing', ['- None', '- N/A', '- tbd.', '- not specified', '- real'], ['real']],
  ['nothing', [], []],
]
