import { excerptOf, type StoredText } from '@loader/session-core'

const longestTask = 300
const contracts = {
  brief: 'What is decided here holds until the user says otherwise.',
  plan: 'The work follows these steps; a step that no longer fits is a reason to plan anew, not to improvise.',
  verification: 'Done means that each criterion is shown by a check that the runtime ran, not by a statement.',
} as const

/** The header of a plan or brief: what it commits to, and its task. */
export function contractLines(artifact: keyof typeof contracts, task: string): string[] {
  return [`> Workflow contract (${artifact}): ${contracts[artifact]}`, `> Task: ${shortened(task)}`]
}

/** Whether a plan or brief was written for another task. One without a task fits every task. */
export function isOfAnotherTask(artifact: StoredText, task: string): boolean {
  const named = typeof artifact === 'string' ? /^> Task: (.*)$/m.exec(artifact)?.[1] : undefined
  return named !== undefined && named.trim() !== shortened(task)
}

function shortened(task: string): string {
  return excerptOf(task, longestTask)
}
