import { call, type Completion, line } from './script.ts'

/** The beginning of the question that a runtime asks when it runs non-interactively and no files changed. */
const question = '[HOW DID IT END?]'

/** The tool by which a model states how a turn ends. */
const tool = 'finish'

/**
 * Answers the question how the turn ended. Scripts are about the task, so a scripted model answers it by itself, as a
 * good model would, without using up a line; unless the next line answers it.
 */
export function answerAboutEnd(
  asked: { readonly lastText: string; readonly tools: readonly string[]; readonly id: string },
  next: unknown,
): Completion | undefined {
  if (!asked.lastText.includes(question) || saysHowItEnded(next)) return undefined
  if (!asked.tools.includes(tool)) return line('It is answered.')
  return line(call(tool, { how: 'answered', summary: 'The answer is above.' }, { id: asked.id }))
}

/**
 * Whether the next line answers the question. A line made by a function could be about anything, so it does not count.
 */
function saysHowItEnded(next: unknown): boolean {
  return typeof next === 'object' && next !== null && JSON.stringify(next).includes(`"name":"${tool}"`)
}
