import { times } from '@loader/test-tier'
import * as fc from 'fast-check'

const markers = [
  ..."improve add something ask me don't refactor workflow and , help step then".split(' '),
  ...'`code` src/a.ts --clarify hello.txt ? . None 你好 🎈 \\ _ > - 1. ``` <<<VERIFICATION>>>'.split(' '),
  ...'## In Scope|**Steps**:|## Acceptance Criteria|Non Goals:|\n|\u0000'.split('|'),
]

/** Texts of all kinds: letters of any script, prose, and pieces that the readers of texts look for. */
export const randomText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.lorem({ maxCount: 40 }),
  fc
    .array(fc.oneof(fc.constantFrom(...markers), fc.lorem({ maxCount: 3 })), { maxLength: 40 })
    .map((parts) => parts.join(' ')),
  fc.array(fc.constantFrom(...markers), { maxLength: 30 }).map((parts) => parts.join('\n')),
)

export const numRuns = times({ quick: 60, ci: 3000, long: 30_000 })
