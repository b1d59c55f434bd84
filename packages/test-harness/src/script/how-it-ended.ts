import { call, type Completion, line } from './script.ts'

/** How the question begins that a runtime asks where nobody reads along and nothing was changed. */
const question = '[HOW DID IT END?]'

/** The tool by which a model says how a turn ends. */
const tool = 'finish'

/**
 * Scripts are about the task. Where a runtime asks how the turn ended, a scripted model answers by itself as a good model
 * does, and no line is used up; unless the line whose turn it is says so itself.
 */
export function answerAboutEnd(
  asked: { readonly lastText: string; readonly tools: readonly string[]; readonly id: string },
  next: unknown,
): Completion | undefined {
  if (!asked.lastText.includes(question) || saysHowItEnded(next)) return undefined
  if (!asked.tools.includes(tool)) return line('It is answered.')
  return line(call(tool, { how: 'answered', summary: 'The answer is above.' }, { id: asked.id }))
}

/** A line that a function makes could be about anything, so it is not taken for one. */
function saysHowItEnded(next: unknown): boolean {
  return typeof next === 'object' && next !== null && JSON.stringify(next).includes(`"name":"${tool}"`)
}
