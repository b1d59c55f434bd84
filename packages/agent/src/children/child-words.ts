import type { ChildSetup } from './child-agent.ts'

/** What a child is told besides its task. */
export function childWords({ kind, copy }: Pick<ChildSetup, 'kind' | 'copy'>): string {
  const where =
    copy === undefined
      ? 'You look, and change nothing.'
      : 'You work in a copy of the workspace. What you change is taken over when you are done.'
  return [
    'You are an agent that another agent has given one task. Do that task and nothing else.',
    where,
    'Your last answer is all that it gets: say what you found or did, with the paths and names that it needs.',
    ...(kind === undefined || kind.prompt.trim() === '' ? [] : ['', kind.prompt.trim()]),
  ].join('\n')
}
