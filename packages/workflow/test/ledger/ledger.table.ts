import type { FreshnessEvidence } from '../../src/ledger/freshness-evidence.ts'

export const sameTexts: readonly [string, string][] = [
  ['notes.txt exists.', 'Notes.TXT   exists.'],
  ['notes.txt exists.', '- `notes.txt` exists.'],
  ['notes.txt exists.', '1. **notes.txt** _exists._'],
  ['notes.txt exists.', '* [ ] notes.txt\n  exists.'],
  ['notes.txt exists.', '## notes.txt exists.'],
  ['snake_case stays', '`snake_case` stays'],
]

export const mappingRows: readonly [
  kind: FreshnessEvidence['kind'],
  list: 'assumptions' | 'acceptanceAnchors' | 'decisionBoundaries' | null,
  status: string | null,
][] = [
  ['contradicted_assumption', 'assumptions', 'contradicted'],
  ['acceptance_anchor', 'acceptanceAnchors', 'changed'],
  ['verification_contradiction', 'acceptanceAnchors', 'changed'],
  ['task_boundary_change', 'decisionBoundaries', 'reopened'],
  ['confirmed_touchpoint', null, null],
  ['inferred_touchpoint', null, null],
]

export const matchingRows: readonly [rule: string, texts: readonly string[], summary: string, changed: string][] = [
  [
    'the summary contains it',
    ['It is short', 'notes.txt exists'],
    'Outside the plan: notes.txt exists, it says',
    'notes.txt exists',
  ],
  [
    'it contains the summary',
    ['It is short', 'notes.txt exists in the root'],
    'exists in the root',
    'notes.txt exists in the root',
  ],
  [
    'containing comes before sharing',
    ['notes.txt holds the greeting line', 'greeting'],
    'the greeting line of notes.txt',
    'greeting',
  ],
  [
    'it shares two significant words',
    ['It is short', 'The greeting stands in notes'],
    'notes without a greeting',
    'The greeting stands in notes',
  ],
  [
    'the one that shares most',
    ['greeting in notes', 'greeting in notes of today'],
    'notes, greeting: today',
    'greeting in notes of today',
  ],
  ['one shared word is not enough: a new one', ['greeting in notes'], 'a greeting elsewhere', 'a greeting elsewhere'],
  [
    'words of connection are not significant',
    ['what is in the notes'],
    'what is in the letters',
    'what is in the letters',
  ],
  ['a part of a word is no word', ['add'], 'the address changed', 'the address changed'],
  ['a new one is named by its first code span', ['It is short'], 'Now `notes.txt` and `b.txt` count', 'notes.txt'],
  ['a new one is cut at 96 characters', [], 'x'.repeat(200), `${'x'.repeat(95)}…`],
]
