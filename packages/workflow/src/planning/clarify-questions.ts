import type { ClarifyPressure, ClarifySlot } from './clarify-slots.ts'

type Questions = Readonly<Record<ClarifyPressure | 'plain', string>>

const questions: Readonly<Record<ClarifySlot, Questions>> = {
  desired_outcome: {
    plain: 'What should be different when this is done?',
    example: 'Can you give one concrete example of how it should behave when this is done?',
    tradeoff: 'If only one thing can change, which result matters most?',
    assumption: 'I would take the words of the task literally. Is that the result you want?',
  },
  non_goals: {
    plain: 'What should stay out of scope?',
    example: 'Which part of the project, for example, should I leave exactly as it is?',
    tradeoff: 'Would you rather have a small change that leaves rough edges, or a larger one that touches more?',
    assumption: 'I would leave alone everything that the task does not name. Is there more that must stay unchanged?',
  },
  acceptance_criteria: {
    plain: 'How will you know that it is done?',
    example: 'Which command or example should work afterwards that does not work now?',
    tradeoff: 'Is a quick check enough, or should tests prove it?',
    assumption: 'I would call it done when the existing checks pass. What else has to hold?',
  },
  constraints: {
    plain: 'Which conditions must the work keep to?',
    example: 'Which version, format or dependency, for example, must not change?',
    tradeoff: 'May I add a dependency, or should I rather write more code?',
    assumption: 'I would add no dependency and keep public names as they are. Is that right?',
  },
  decision_boundaries: {
    plain: 'Which decisions should I bring to you before I act?',
    example: 'At which point, for example, should I stop and ask?',
    tradeoff: 'When in doubt, should I go on with a careful guess, or stop and ask?',
    assumption: 'I would decide small things alone and ask before anything that is hard to undo. Is that right?',
  },
  likely_touchpoints: {
    plain: 'Which files or parts of the project is this about?',
    example: 'Which file, for example, would you open first?',
    tradeoff: 'Should the change stay in one place, or follow through everywhere it applies?',
    assumption: 'I would start from what the words of the task point to. Is there a better place?',
  },
}

/** The question if neither the model nor the workspace suggests a better one. */
export function builtInQuestion(slot: ClarifySlot, pressure: ClarifyPressure | null = null): string {
  return questions[slot][pressure ?? 'plain']
}
