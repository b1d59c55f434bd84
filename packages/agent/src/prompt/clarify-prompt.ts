import { type SessionState, shownText } from '@loader/session-core'

/** Instructs the model to ask the user one question. */
export function clarifyPrompt({ task, workspace, route, policy }: SessionState): string {
  const asking = (policy?.model?.nativeTools ?? true) ? 'by calling ask_user once' : 'in plain words, and nothing else'
  const grounding = workspace?.grounding
  return [
    'You help a user to say exactly what a coding task is about, before any work begins.',
    `Ask exactly one question, ${asking}. Ask about what matters most and is not known yet:`,
    'the outcome that is wanted, what must stay as it is, how it will be seen to be done, or which files it concerns.',
    'Do not ask what the conversation or the project answers already. Offer two to four options if that helps.',
    ...(task === null ? [] : ['', `Task: ${shownText(task)}`]),
    ...(route?.unresolvedQuestions?.length
      ? ['Still open:', ...route.unresolvedQuestions.map((text) => `- ${text}`)]
      : []),
    ...(grounding ? ['In the project:', ...groundingLines(grounding)] : []),
  ].join('\n')
}

type Grounding = NonNullable<NonNullable<SessionState['workspace']>['grounding']>

export function groundingLines({ entries, referenced, missing, candidates, facts }: Grounding): string[] {
  return [
    ...(entries.length > 0 ? [`- at the top: ${entries.join(', ')}`] : []),
    ...(referenced.length > 0 ? [`- named and there: ${referenced.join(', ')}`] : []),
    ...(missing.length > 0 ? [`- named but not there: ${missing.join(', ')}`] : []),
    ...(candidates.length > 0 ? [`- likely places: ${candidates.join(', ')}`] : []),
    ...facts.map(({ path, line }) => `- ${path}: ${line}`),
  ]
}
