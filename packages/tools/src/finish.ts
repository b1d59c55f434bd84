import type { Examination, Tool, ToolAliases, ToolResult } from '@loader/session-core/coding'
import * as z from 'zod'

const FinishInput = z.object({
  how: z
    .enum(['answered', 'done', 'blocked'])
    .describe('answered: the user asked something. done: the work is done. blocked: something keeps you from it'),
  summary: z.string().trim().min(1).describe('what was done, or what stands in the way, in a sentence or two'),
  left: z.string().optional().describe('what is left to do'),
  found: z
    .array(
      z.object({
        call: z.string().describe('id of the call that was cut off'),
        shown_by: z.string().describe('id of the later call that showed what became of it, or its command'),
        what: z.string().describe('what it had done'),
      }),
    )
    .optional()
    .describe('only where a call was cut off: what you have found out about it since'),
})
export type FinishInput = z.infer<typeof FinishInput>

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: ['attempt_completion', 'task_complete', 'complete_task', 'final_answer', 'end_turn', 'submit'],
  arguments: {
    how: ['status', 'outcome', 'state'],
    summary: ['result', 'message', 'text', 'answer'],
    left: ['remaining', 'todo'],
    found: [],
  },
  main: 'summary',
  adapt: (input) => ('how' in input ? input : { how: 'done', ...input }),
}

/** Lets the model state how the turn ends. The statement decides nothing: facts and checks do. */
export function finishTool(): Tool<FinishInput> {
  return {
    name: 'finish',
    title: 'Say how it ended',
    description:
      'Say how your work on the task ended, as your last call, after your answer in words. The runtime looks at what ' +
      'changed and runs the checks itself; this adds what it cannot see. Do not call it while you can go on.',
    input: FinishInput,
    aliases,
    effect: 'none',
    examine: async (input) => valid(input),
    run: async ({ input }) => result(input),
  }
}

function valid(input: FinishInput): Examination<FinishInput> {
  return { valid: true, input, effect: 'none', paths: [], intent: [] }
}

function result({ how, summary, left, found }: FinishInput): ToolResult {
  return {
    outcome: 'ok',
    text: 'Noted.',
    statement: {
      how,
      summary,
      ...(left !== undefined && { left }),
      ...(found !== undefined && {
        found: found.map(({ call, shown_by, what }) => ({ call, shownBy: shown_by, what })),
      }),
    },
  }
}
