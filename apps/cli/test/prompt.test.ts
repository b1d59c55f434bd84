import type { EventInput } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { PromptDiffOutput, PromptShowOutput } from '@loader/readings'
import { loader } from './written/fake-console.ts'
import { exchange, writtenSession } from './written/written-session.ts'

function prompt(text: string, ...sections: readonly (readonly [string, string])[]): EventInput {
  return {
    type: 'prompt.rendered',
    format: 'native',
    sections: sections.map(([name, digest]) => ({ name, digest })),
    text,
  }
}

const first = prompt('# Rules\nBe kind.\nBe quick.\n', ['Rules', 'a'], ['Old', 'x'])
const second = prompt('# Rules\nBe kind.\nBe exact.\n', ['Rules', 'b'], ['New', 'y'])

test('the prompt that was used last stands alone on standard output', async () => {
  await using workspace = await temporaryWorkspace()
  await writtenSession(workspace.root, [first, ...exchange(1, 'Hi', 'Hello'), second])
  const { out, err } = await loader(['prompt', 'show'], { folder: workspace.root })
  expect(out).toBe('# Rules\nBe kind.\nBe exact.\n')
  expect(err).toContain('Prompt 2 of 2')
  const json = await loader(['prompt', 'show', '--json'], { folder: workspace.root })
  expect(PromptShowOutput.parse(JSON.parse(json.out))).toMatchObject({
    count: 2,
    prompt: { text: '# Rules\nBe kind.\nBe exact.\n' },
  })
})

test('what changed between the last two prompts is a diff, and a list of sections', async () => {
  await using workspace = await temporaryWorkspace()
  await writtenSession(workspace.root, [first, ...exchange(1, 'Hi', 'Hello'), second])
  const { out } = await loader(['prompt', 'diff'], { folder: workspace.root })
  expect(out).toContain('sections added: New\nsections removed: Old\nsections changed: Rules\n')
  expect(out).toContain('\n-Be quick.\n+Be exact.\n')
  const json = await loader(['prompt', 'diff', '--json'], { folder: workspace.root })
  expect(PromptDiffOutput.parse(JSON.parse(json.out)).sections).toEqual({
    added: ['New'],
    removed: ['Old'],
    changed: ['Rules'],
  })
})

test.each([
  [[], 'has used no prompt so far'],
  [[first], 'has used one prompt so far'],
])('with fewer than two prompts there is nothing to compare', async (inputs, said) => {
  await using workspace = await temporaryWorkspace()
  await writtenSession(workspace.root, inputs)
  const { out, code } = await loader(['prompt', 'diff'], { folder: workspace.root })
  expect(code).toBe(0)
  expect(out).toContain(said)
})
