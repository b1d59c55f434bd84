import type { SessionState, Turn } from '@loader/session-core'
import { finishTool } from '../finish-tool.ts'
import type { Move } from '../move.ts'
import { sendBack } from './decisions.ts'

/** Nobody reads along and could ask: the model is asked once how the turn ended. */
export function askHowItEnded(state: SessionState, turn: Turn): Move {
  const reason = {
    stage: 'statement',
    code: 'statement_asked',
    summary: 'asked how the turn ended, because no file of the project was changed and nothing was said about it',
  }
  return sendBack(state, turn, reason, { note: howItEndedNote, answer: 'stands', asks: 'how_it_ended' })
}

/** A program that plays a model knows by the first line what it is asked. */
const howItEndedNote = [
  '[HOW DID IT END?]',
  `No file of the project was changed. Call the tool \`${finishTool}\`, and say nothing else: \`answered\` if the task was a question that`,
  'your answer above answers, `done` if the work is done, `blocked` if something kept you from it. If work is left that',
  'you can do, do it instead.',
].join('\n')
