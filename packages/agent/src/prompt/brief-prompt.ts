import { type SessionState, shownText } from '@loader/session-core'
import { groundingLines } from './clarify-prompt.ts'

/** Instructs the model to write down what the user wants. */
export function briefPrompt({ task, workspace }: SessionState): string {
  const grounding = workspace?.grounding
  return [
    'Write a brief of the task, from the conversation alone, in Markdown, with exactly these headings:',
    '## Task Statement, ## Desired Outcome, ## In Scope, ## Non Goals, ## Decision Boundaries, ## Constraints,',
    '## Likely Touchpoints, ## Assumptions, ## Acceptance Criteria.',
    'Short bullet points. Leave out a heading that nothing was said about; never invent what the user did not say.',
    'Acceptance criteria are things that somebody can check. Do not call tools and do not begin the work.',
    ...(task === null ? [] : ['', `Task: ${shownText(task)}`]),
    ...(grounding ? ['In the project:', ...groundingLines(grounding)] : []),
  ].join('\n')
}
