import { type SessionState, shownText } from '@loader/session-core'

/** Instructs the model to plan a task and how to show that it is done. */
export function planPrompt({ task, brief, route, workspace, touchedFiles }: SessionState): string {
  const commands = Object.entries(workspace?.facts?.commands ?? {})
  const refresh = route?.evidenceSummary ?? []
  return [
    'Write a plan for the task, in Markdown. First how it will be done, with the headings',
    '## File Changes, ## Execution Order, ## Risks.',
    'Then a line that holds nothing but <<<VERIFICATION>>>, and then how it will be shown to be done, with the headings',
    '## Acceptance Criteria, ## Verification Commands, ## Notes.',
    'Short bullet points; at most eight steps. Verification commands are shell commands that fail when the task is not',
    'done. Do not call tools and do not begin the work.',
    ...(task === null ? [] : ['', `Task: ${shownText(task)}`]),
    ...(brief === null ? [] : ['', 'The brief:', shownText(brief.text)]),
    ...(commands.length === 0
      ? []
      : ['', 'Commands of the project:', ...commands.map(([name, text]) => `- ${name}: ${text}`)]),
    ...(refresh.length === 0
      ? []
      : ['', 'Why the earlier plan no longer fits:', ...refresh.map((text) => `- ${text}`)]),
    ...(touchedFiles.length === 0 ? [] : ['', `Changed so far: ${touchedFiles.join(', ')}`]),
  ].join('\n')
}
