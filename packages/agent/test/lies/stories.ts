import { spawnSync } from 'node:child_process'
import type { Recording } from '@loader/session-core'
import type { Completion } from '@loader/test-harness'
// @boundaries-ignore the same stories, on real files and with real processes
import { honestRuns } from '../../../workflow/test/completion/honest-runs.ts'
// @boundaries-ignore the same stories
import { lies } from '../../../workflow/test/completion/lies.ts'
// @boundaries-ignore the same stories
import type { ScriptedAnswer, Story } from '../../../workflow/test/completion/story.ts'
import type { RunResult } from '../../src/index.ts'
import { stage } from '../scene/stage.ts'

export { honestRuns, lies, type Story }

/** More answers than any story leads to. */
const mostAnswers = 40

/** Plays a story through a whole agent: real files, real processes, the usual tools and permissions. */
export async function playOut({
  task,
  files,
  doneWhen,
  answers,
}: Story): Promise<{ readonly result: RunResult; readonly recording: Recording }> {
  const last = answers.at(-1) as ScriptedAnswer
  const lines = Array.from({ length: mostAnswers }, (_, index) => asLine(answers[index] ?? last))
  await using set = await stage(lines, { files })
  const result = await set.agent.run(task, doneWhen === undefined ? {} : { doneWhen })
  return { result, recording: await set.expectWhole() }
}

/** Programs that a story needs and that are not here. */
export function missingFor({ needs = [] }: Story): readonly string[] {
  return needs.filter((program) => spawnSync(program, ['--version']).error !== undefined)
}

function asLine({ text, calls = [] }: ScriptedAnswer): Completion {
  return { ...(text !== '' && { text }), calls: calls.map(({ name, input }) => ({ name, input })) }
}
