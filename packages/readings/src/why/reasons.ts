import type { Verdict } from '@loader/session-core/coding'

/** A sentence for each reason of a turn's end. Other reasons are shown by their code. */
const sentences: Readonly<Record<string, string>> = {
  interrupted: 'It was stopped before it was done.',
  not_known: 'How it ended is not known.',
  storage_full: 'There was no space left to record anything more.',
  out_of_memory: 'The process ran out of memory.',
  stopped_by_hook: 'A hook ended it.',
  model_failed: 'The model could not be asked, in a way that trying again does not mend.',
  retry_budget_exhausted: 'The model could not be asked, and every attempt that was allowed has failed.',
  wait_budget_exhausted: 'The model was overloaded for longer than one request may wait.',
  cost_budget_exhausted: 'The next request could have exceeded the budget of the session.',
  content_filtered: 'The provider of the model withheld the answer.',
  iteration_budget_exhausted: 'The limit of answers in one turn was reached.',
  token_budget_exhausted: 'The limit of tokens in one turn was reached.',
  crash_budget_exhausted: 'The process has crashed so often on this input that it is not tried again.',
  context_exhausted: 'The conversation no longer fits into the window of the model, and could not be made shorter.',
  continuation_budget_exhausted: 'The model was told to go on as often as is allowed, and still did not show the work.',
  empty_response_retry_exhausted: 'The model gave nothing but empty answers.',
  raw_text_tool_recovery_exhausted: 'The model wrote its calls as plain text once too often.',
  verification_retry_budget_exhausted: 'The checks failed, and the work was sent back as often as is allowed.',
  text_loop_bailout: 'The model said the same thing again and again.',
  tool_batch_halted: 'Too many calls in a row have failed.',
  compaction_failed: 'The conversation could not be made shorter.',
}

const verdicts: Readonly<Record<Verdict, string>> = {
  verified: 'It is done: everything that had to hold was shown by checks.',
  waived: 'It is done: you have said that what was not shown need not be.',
  present: 'It ended with only this shown: that the files are there. Nothing was run that shows that they work.',
  failed: 'It ended although checks failed.',
  stale: 'It ended with checks that passed before the workspace changed again; they do not count for it as it is now.',
  unverified: 'It ended without anything being shown: no check has run that speaks for the work.',
}

/** Why a turn ended, as text. */
export function reasonSentences(reason: string, verdict: Verdict | undefined): string[] {
  const judged = verdict === undefined ? [] : [verdicts[verdict]]
  if (reason !== 'turn_complete') {
    const known = Object.hasOwn(sentences, reason) ? sentences[reason] : undefined
    return [known ?? `It ended for the reason ${reason}.`, ...judged]
  }
  return judged.length > 0 ? judged : ['The model answered, and there was nothing that had to be verified.']
}
