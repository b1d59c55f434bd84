import * as z from 'zod'
import type { Examination, QuestionText, Tool, ToolAliases } from '@loader/session-core/coding'
import { JsonObject } from '@loader/session-core'
import { isList } from './calls/is-list.ts'

const Option = z.union([
  z.string().trim().min(1),
  z.object({ label: z.string().trim().min(1), description: z.string().optional() }),
])

const AskUserInput = z.object({
  question: z.string().trim().min(1).describe('what you need to know'),
  title: z.string().optional().describe('a few words to put above it'),
  context: z.string().optional().describe('what the user has to know to answer'),
  options: z.array(Option).max(20).optional().describe('answers to choose from'),
  allow_freeform: z.boolean().default(true).describe('whether an answer in other words will do'),
})
export type AskUserInput = z.infer<typeof AskUserInput>

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: [
    'ask_user_question',
    'ask',
    'ask_question',
    'ask_followup_question',
    'question',
    'ask_human',
    'request_user_input',
  ],
  arguments: {
    question: ['text', 'prompt', 'message', 'query'],
    title: ['header', 'heading'],
    context: ['background', 'details'],
    options: ['choices', 'answers', 'suggestions', 'follow_up'],
    allow_freeform: ['allow_free_text', 'free_form', 'allow_other'],
  },
  main: 'question',
  adapt: withOneQuestion,
}

/** The tool `ask_user`. The runtime asks the question, and the answer is the result of the call. */
export function askUserTool(): Tool<AskUserInput> {
  return {
    name: 'ask_user',
    title: 'Ask a question',
    description:
      'Ask the user a question when you cannot go on without the answer: about what is wanted, not about what you can ' +
      'find out yourself. One question at a time, with options where there are only a few answers.',
    input: AskUserInput,
    aliases,
    effect: 'none',
    examine: async (input) => examine(input),
    run: async () => ({
      outcome: 'failed',
      text: 'The user was not asked: this program has no way to ask questions.',
    }),
  }
}

function examine(input: AskUserInput): Examination<AskUserInput> {
  const options = input.options?.map((option) => (typeof option === 'string' ? { label: option } : option)) ?? []
  if (!input.allow_freeform && options.length === 0) {
    return { valid: false, message: 'Without options there must be room for an answer in words: set allow_freeform.' }
  }
  const repeated = options.find(({ label }, index) => options.findIndex((option) => option.label === label) < index)
  if (repeated !== undefined) return { valid: false, message: `The option "${repeated.label}" is there twice.` }
  return { valid: true, input, effect: 'none', paths: [], intent: [], question: questionOf(input, options) }
}

function questionOf(
  { question, title, context, allow_freeform }: AskUserInput,
  options: NonNullable<QuestionText['options']>,
): QuestionText {
  const closing = allow_freeform ? [] : ['Please choose one of the options.']
  const text = [...(context?.trim() ? [context.trim()] : []), question, ...closing].join('\n\n')
  return { text, ...(title !== undefined && { title }), ...(options.length > 0 && { options }) }
}

/**
 * Some models ask several questions at once; the tool asks only the first, and the model can ask the next afterwards.
 */
function withOneQuestion(input: JsonObject): JsonObject {
  const [first] = isList(input['questions']) ? input['questions'] : []
  const object = JsonObject.safeParse(first).data
  if (input['question'] !== undefined || object === undefined) return input
  const { header, ...rest } = object
  return { ...rest, ...(header !== undefined && { title: header }) }
}
