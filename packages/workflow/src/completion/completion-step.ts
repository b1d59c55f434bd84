import { type SessionState, textOf, type Turn } from '@loader/session-core'
import { endOfTurn } from '../judging/end-of-turn.ts'
import type { Step } from '../words/step.ts'
import { detectTextLoop } from '../recovery/detect-text-loop.ts'
import { finishToolName } from '../words/tools.ts'
import { earlierAnswers, latestAnswer } from './answers-of-turn.ts'
import { concludeStep } from './conclude.ts'
import { sendBack, endTurn } from './decisions.ts'
import { endFacts } from './end-facts.ts'
import { finishStep } from './finish.ts'
import { lookAfterChecks, lookStep } from './looks.ts'
import { unfinishedStep } from './unfinished.ts'
import { verificationStep } from './verification.ts'

/**
 * Chooses the step between the last answer and the end of the turn.
 *
 * Invariants:
 * 1. Total and pure, like every choice of a step.
 * 2. Each time the model is sent back, a counted nudge or retry is spent, and a check is tried once per tree. So the
 *    limits of a turn bound the number of these steps.
 * 3. Judgements use only what was observed after the latest effect, and never the words of the user.
 */
export function completionStep(state: SessionState): Step {
  const { turn } = state
  if (turn === null) return { type: 'rest' }
  const judged = judgedAlready(state, turn)
  if (judged !== undefined) return judged
  return textLoopStep(state, turn) ?? lookStep(state, turn) ?? unfinishedStep(state, turn) ?? endStep(state, turn)
}

/** Chooses the step that follows from a judgement that was already recorded. */
function judgedAlready(state: SessionState, turn: Turn): Step | undefined {
  const entry = state.completion
  if (turn.phase !== 'completion' || entry === null || entry.seq < turn.startedSeq) return undefined
  switch (entry.kind) {
    case 'completion_continue':
      return { type: 'ask_model', purpose: 'answer', attempt: 1 }
    case 'completion_complete':
    case 'completion_finalize':
      return finishStep(state, turn, entry)
    default:
      return undefined
  }
}

function endStep(state: SessionState, turn: Turn): Step {
  const end = endOfTurn(endFacts(state, turn))
  switch (end.next) {
    case 'ask_how_it_ended':
      return askHowItEnded(state, turn)
    case 'run_checks':
      return verificationStep(state, turn)
    case 'end':
      return lookAfterChecks(state, turn) ?? concludeStep(state, turn, end)
    default:
      return end satisfies never
  }
}

/** In a non-interactive run, asks the model once how the turn ended. */
function askHowItEnded(state: SessionState, turn: Turn): Step {
  const reason = {
    stage: 'statement',
    code: 'statement_asked',
    summary: 'asked how the turn ended, because no file of the project was changed and nothing was said about it',
  }
  return sendBack(state, turn, reason, { note: howItEndedNote, answer: 'stands', asks: 'how_it_ended' })
}

/** The first line must stay the same: programs that stand in for a model recognize the question by it. */
const howItEndedNote = [
  '[HOW DID IT END?]',
  `No file of the project was changed. Call the tool \`${finishToolName}\`, and say nothing else: \`answered\` if the task was a question that`,
  'your answer above answers, `done` if the work is done, `blocked` if something kept you from it. If work is left that',
  'you can do, do it instead.',
].join('\n')

function textLoopStep(state: SessionState, turn: Turn): Step | undefined {
  const answer = latestAnswer(state, turn)
  if (answer === undefined) return undefined
  const loop = detectTextLoop(textOf(answer.content), earlierAnswers(state, turn, answer))
  if (!loop.looping) return undefined
  return endTurn(state, 'finalize', {
    stage: 'text_loop',
    code: loop.code,
    summary: `stopped because the model turned in circles: ${loop.why}`,
    evidenceProvenance: [
      { category: 'response', source: 'assistant_response', summary: loop.why, status: 'contradicts' },
    ],
  })
}
