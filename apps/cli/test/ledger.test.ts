import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { LedgerOutput } from '@loader/readings'
import { loader } from './written/fake-console.ts'
import { exchange, writtenSession } from './written/written-session.ts'

test('the ledger has its three lists, with what has become of each item', async () => {
  await using workspace = await temporaryWorkspace()
  await writtenSession(workspace.root, [
    ...exchange(1, 'Hi', 'Hello'),
    {
      type: 'ledger.updated',
      ledger: {
        assumptions: [
          {
            text: 'notes.txt stays out of scope.',
            status: 'contradicted',
            introducedPhase: 'clarify',
            updatedPhase: 'recovery',
            evidence: ['It was written all the same.'],
          },
        ],
        acceptanceAnchors: [{ text: 'hello.txt exists.', status: 'active', introducedPhase: 'plan' }],
        decisionBoundaries: [{ text: 'Ask before pushing.', status: 'tracked', introducedPhase: 'clarify' }],
      },
    },
  ])
  const { out } = await loader(['ledger'], { folder: workspace.root })
  expect(out).toContain(
    'ASSUMPTIONS\n  [contradicted] notes.txt stays out of scope.\n      since clarify, last changed in recovery\n',
  )
  expect(out).toContain('      It was written all the same.')
  expect(out).toContain('ACCEPTANCE ANCHORS\n  [active] hello.txt exists.')
  expect(out).toContain('DECISION BOUNDARIES\n  [tracked] Ask before pushing.')
  const json = await loader(['ledger', '--json'], { folder: workspace.root })
  expect(LedgerOutput.parse(JSON.parse(json.out)).highlights).toEqual(['contradicted: notes.txt stays out of scope.'])
})

test('an empty ledger says what it is for', async () => {
  await using workspace = await temporaryWorkspace()
  await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
  expect((await loader(['ledger'], { folder: workspace.root })).out).toContain('The ledger is empty')
})
