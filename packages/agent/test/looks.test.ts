import { MemoryStore } from '@loader/session-core'
import { call, type Completion, line, ScriptedBackend, temporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { Agent } from '../src/index.ts'
import { localOptions } from '../src/local.ts'
import { historyOf } from './scene/scene.ts'
import { toldTrees } from './scene/told-trees.ts'
import { eventsOf } from './scene/whole.ts'
import { withoutTrees } from './scene/without-trees.ts'

const files = { 'package.json': JSON.stringify({ scripts: { test: 'grep -q new a.txt' } }), 'a.txt': 'a\n' }
const config = { permissionMode: 'allow' } as const
const bash = (command: string) => call('bash', { command })

/** How often the files were looked at, counted where it is done, and why as far as that was written down. */
async function looksOf(task: string, ...answers: readonly Completion[]) {
  await using place = await temporaryWorkspace({ files })
  const backend = new ScriptedBackend(...answers)
  const store = new MemoryStore()
  const options = localOptions({ backend, projectRoot: place.root, store, config, walls: { use: 'off' } })
  // What is counted is who asks for trees. From CI on there are some.
  const trees = fromCi ? options.workspace.trees : toldTrees()
  if (trees === undefined) throw new Error('a local workspace keeps trees')
  let taken = 0
  const take = trees.take.bind(trees)
  const counted: typeof take = (turnOptions) => {
    taken += 1
    return take(turnOptions)
  }
  const counting = { trees: Object.assign(trees, { take: counted }) }
  const workspace = Object.assign(fromCi ? options.workspace : withoutTrees(options.workspace), counting)
  await using agent = new Agent({ ...options, workspace })
  await agent.run(task)
  const looks = eventsOf(await historyOf(store, agent.session.id), 'workspace.observed')
  return { taken, reasons: looks.flatMap(({ tree, why }) => (tree === undefined ? [] : [why])) }
}

test('a question costs no look at the files', async () => {
  const answers = [line('I look.', call('read', { file_path: 'a.txt' })), line('It says a.')]
  expect(await looksOf('What does a.txt say?', ...answers)).toEqual({ taken: 0, reasons: [] })
})

test('one call and one check cost a look before the call, after it, and before judging', async () => {
  const answers = [line('I change it.', bash('echo new > a.txt')), line('Changed.')]
  expect(await looksOf('Write new into a.txt.', ...answers)).toEqual({
    taken: 3,
    reasons: [
      'before the first change of the turn',
      'after calls that can change files',
      'before judging whether the work is done',
    ],
  })
})

test('calls of one answer share their looks; those of the next have their own', async () => {
  const answers = [
    line('Two.', bash('echo 1 > b.txt'), bash('echo 2 > b.txt')),
    line('One.', bash('echo new > a.txt')),
    line('Changed.'),
  ]
  expect((await looksOf('Change the files.', ...answers)).reasons).toEqual([
    'before the first change of the turn',
    'after calls that can change files',
    'before calls that can change files',
    'after calls that can change files',
    'before judging whether the work is done',
  ])
})
