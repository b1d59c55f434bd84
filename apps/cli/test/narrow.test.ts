import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { widthOf } from '../src/screen/width.ts'
import { loader } from './written/fake-console.ts'
import { exchange, writtenSession } from './written/written-session.ts'

test.for([
  [['ledger']],
  [['evidence']],
  [['prompt', 'diff']],
  [['permissions', 'list']],
  [['skills']],
  [['ps']],
] as const)('where there is nothing to show, saying so fits into a narrow terminal: %j', async ([words]) => {
  await using workspace = await temporaryWorkspace()
  await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'), 'Short')
  const { out } = await loader(words, { folder: workspace.root, columns: 30 })
  expect(out).not.toBe('')
  for (const line of out.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(30)
})
