import { expect, test } from 'vitest'
import { covers, mentions, readText } from '../../src/artifacts/coverage.ts'
import { isPastWork } from '../../src/artifacts/is-past-work.ts'
import { parseBrief } from '../../src/artifacts/parse-brief.ts'
import { parsePlan } from '../../src/artifacts/parse-plan.ts'
import { plannedFiles } from '../../src/artifacts/planned-files.ts'
import { readQuestion } from '../../src/artifacts/read-question.ts'
import { normalized } from '../../src/ledger/normalized.ts'
import { isConversational } from '../../src/routing/is-conversational.ts'
import { readSignals } from '../../src/routing/read-signals.ts'
import { shouldDecompose } from '../../src/routing/should-decompose.ts'

const length = 40_000
const pieces = [
  '\n',
  ' ',
  '`',
  '*',
  '_',
  '#',
  '<',
  '.',
  '?',
  '"',
  '/a',
  'a',
  'a-',
  'a.',
  '- ',
  '> ',
  '[x] ',
  '**a ',
  '```\n',
  ' \n',
]

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  signals: (text) => readSignals(text),
  talk: isConversational,
  decomposition: shouldDecompose,
  brief: (text) => parseBrief(`## In Scope\n${text}`, 'task'),
  plan: (text) => parsePlan(`## Execution Order\n${text}\n## Verification Commands\n${text}`, 'task'),
  'planned files': (text) => plannedFiles({ implementation: `## File Changes\n- ${text}` }),
  question: readQuestion,
  coverage: (text) => [mentions(readText(text), 'src/user-profile.ts'), covers(readText(text), 'what it covers')],
  'normal form': normalized,
  'past work': isPastWork,
}

test.each(Object.entries(readers))('no text makes reading slow: %s', (_name, read) => {
  for (const piece of pieces) {
    const run = piece.repeat(length / piece.length)
    for (const text of [run, `x${run}`, `${run}x`, `x${run}x`]) {
      const start = performance.now()
      read(text)
      // One step for each pair of letters would take seconds.
      expect(performance.now() - start).toBeLessThan(1000)
    }
  }
})
