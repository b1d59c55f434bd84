import { line, call, temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { EvidenceOutput } from '@loader/readings'
import { loader } from './written/fake-console.ts'
import { workedSession } from './written/worked-session.ts'
import { exchange, writtenSession } from './written/written-session.ts'

test('evidence has each criterion with its verdict, and each check with what it showed and on which workspace', async () => {
  await using workspace = await temporaryWorkspace()
  await workedSession(workspace)
  const { out } = await loader(['evidence'], { folder: workspace.root })
  expect(out).toContain('Verdict: verified')
  expect(out).toContain(
    '  [verified] `grep -q hello hello.txt` succeeds\n      `grep -q hello hello.txt`: Verified: red before',
  )
  expect(out).toContain('      room before: red\n')
  expect(out).toMatch(/ {2}\[passed\] grep -q hello hello\.txt\n {6}exit code 0, \d+ m?s at /)
  expect(out).toMatch(/tree [0-9a-f]{12}, unchanged by it/)
})

test('evidence of a check that failed has its exit code, and its output on request', async () => {
  await using workspace = await temporaryWorkspace()
  const write = line('Done.', call('write', { file_path: 'a.txt', content: 'a\n' }))
  const lines = [write, ...Array.from({ length: 8 }, () => line('It is done.'))]
  await workedSession(workspace, { lines, doneWhen: [{ command: 'echo what is missing; exit 3' }] })
  const { out } = await loader(['evidence', '--full'], { folder: workspace.root })
  expect(out).toContain('Verdict: failed')
  expect(out).toContain('exit code 3')
  expect(out).toContain('      | what is missing')
  expect((await loader(['evidence'], { folder: workspace.root })).out).not.toContain('      | ')
  const json = await loader(['evidence', '--json'], { folder: workspace.root })
  expect(EvidenceOutput.parse(JSON.parse(json.out))).toMatchObject({
    verdict: 'failed',
    criteria: [{ verdict: 'failed' }],
    judgement: { word: 'failed' },
    evidence: [
      { outcome: 'failed', exitCode: 3 },
      { room: 'now', baseline: true },
    ],
  })
})

test('without a definition of done there is nothing to be evident', async () => {
  await using workspace = await temporaryWorkspace()
  await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
  const { out, code } = await loader(['evidence'], { folder: workspace.root })
  expect(code).toBe(0)
  expect(out).toContain('There is no definition of done')
})
