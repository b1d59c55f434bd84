import { expect, test } from 'vitest'
import { assessFreshness } from '../../src/planning/assess-freshness.ts'
import { parseBrief } from '../../src/planning/parse-brief.ts'
import { recoveryCodes, recoveryEntry, staleEntry } from '../../src/planning/recovery-entry.ts'
import { reviewClarify } from '../../src/planning/review-clarify.ts'
import { readSignals } from '../../src/routing/read-signals.ts'
import { rerouted, routeTask } from '../../src/routing/route-task.ts'
import { plain, reviewRows } from '../planning/clarify.table.ts'
import { fits, freshnessRows } from '../planning/freshness.table.ts'
import { publishedCodes } from './reason-codes.table.ts'
import { routeRows } from './route.table.ts'

const routes = routeRows.map(({ task, context, clarification = 'allowed' }) =>
  routeTask({ signals: readSignals(task, context), clarification }),
)
const routesAfterClarification = routeRows.map(({ task, context }) =>
  routeTask({ signals: readSignals(task, context), clarification: 'over' }),
)
const assessments = freshnessRows.map(({ change }) => assessFreshness({ ...fits, ...change }))

const entries = [
  ...routes,
  ...routesAfterClarification.map((route) => rerouted(route, 'clarify')),
  ...routesAfterClarification.map((route) => rerouted(route, 'drift')),
  ...reviewRows.map(({ brief, answer = plain.answer, round, rounds }) => {
    return reviewClarify({ ...plain, brief: parseBrief(brief, plain.task), answer, round, rounds }).entry
  }),
  ...recoveryCodes.map((code) => recoveryEntry(code)),
  ...assessments.flatMap((freshness) => staleEntry(freshness) ?? []),
]
const reached = new Set([...entries.map(({ reasonCode }) => reasonCode), ...assessments.flatMap(({ codes }) => codes)])

test('every published code of routing, clarification, recovery and freshness is reached by some row', () => {
  expect(publishedCodes.filter((code) => !reached.has(code))).toEqual([])
})

test('no row reaches a code that is not published', () => {
  expect([...reached].filter((code) => !publishedCodes.includes(code))).toEqual([])
})
