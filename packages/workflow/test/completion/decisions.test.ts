import type { TimelineEntry } from '@loader/session-core/coding'
import { describe, expect, test } from 'vitest'
import { codes, type DecisionRow, decisions, type ExpectedEntry } from './decisions.table.ts'
import { Drive } from './drive.ts'

function play({ options, setup = [], answers }: DecisionRow) {
  const drive = new Drive(options)
  drive.record(...setup)
  return { drive, finished: drive.play(answers) }
}

function expectRow(row: DecisionRow): Drive {
  const { drive, finished } = play(row)
  expect(missingIn(drive.timeline, row.entries)).toEqual([])
  for (const code of row.without ?? []) expect(drive.codes).not.toContain(code)
  expect(finished.reason).toBe(row.reason)
  expect(finished.verdict).toBe(row.verdict)
  const { note } = row
  if (note !== undefined) expect(notesOf(drive).some((text) => text.startsWith(note))).toBe(true)
  return drive
}

/** The expected entries that do not follow in their order. */
function missingIn(timeline: readonly TimelineEntry[], expected: readonly ExpectedEntry[]): readonly ExpectedEntry[] {
  let place = 0
  return expected.filter(({ code, kind, stage, outcome, mode }) => {
    const found = timeline.findIndex(
      (entry, index) =>
        index >= place &&
        entry.reasonCode === code &&
        entry.kind === kind &&
        (stage === undefined || entry.policyStage === stage) &&
        (outcome === undefined || entry.policyOutcome === outcome) &&
        (mode === undefined || entry.mode === mode),
    )
    if (found >= 0) place = found + 1
    return found < 0
  })
}

function notesOf(drive: Drive): readonly string[] {
  return drive.eventsOf('workflow.decided').flatMap(({ note }) => (typeof note === 'string' ? [note] : []))
}

describe('after an answer without calls', () => {
  test.for(decisions.textOnly)('$row: $when', (row) => {
    expectRow(row)
  })
})

describe('the definition of done', () => {
  test.for(decisions.gate)('$row: $when', (row) => {
    expectRow(row)
  })
})

describe('the continuation check', () => {
  test.for(decisions.followThrough)('$row: $when', (row) => {
    const drive = expectRow(row)
    const entry = drive.timeline.find(({ reasonCode }) => reasonCode === 'premature_completion_nudge')
    expect(entry?.evidenceSummary).toContain(row.missing)
    expect(entry?.evidenceProvenance).toContainEqual(
      expect.objectContaining({ category: row.category, status: row.status }),
    )
    expect(notesOf(drive)[0]).toContain('Task: ')
  })
})

test('every code is reached', () => {
  const rows = [...decisions.textOnly, ...decisions.gate, ...decisions.followThrough]
  const reached = new Set(
    rows.flatMap((row) => {
      const { drive, finished } = play(row)
      return [
        finished.reason,
        ...drive.timeline.flatMap(({ reasonCode, signalSummary = [] }) => [reasonCode, ...signalSummary]),
      ]
    }),
  )
  expect(codes.filter((code) => !reached.has(code))).toEqual([])
})

test('no other code is made', () => {
  const known = new Set<string>(codes)
  const rows = [...decisions.textOnly, ...decisions.gate, ...decisions.followThrough]
  const made = rows.flatMap((row) => play(row).drive.codes)
  expect([...new Set(made)].filter((code) => !known.has(code))).toEqual([])
})
