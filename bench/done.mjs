// What it costs to know whether work is done: an ordinary fix in a project whose tests take a while, through the whole agent.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { localAgent } from '@loader/agent/local'
import { call, line, ScriptedBackend } from '@loader/test-harness'
import { findProject } from '@loader/workspace'
import { atMost, shown } from './store/figure.mjs'

const test = (number) => `import test from 'node:test'
import assert from 'node:assert'
import { sum } from '../src/sum.js'
const busy = Date.now() + 1500
while (Date.now() < busy);
test('adds ${number}', () => assert.equal(sum(${number}, 1), ${number + 1}))
`

const files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/sum.js': 'export function sum(a, b) {\n  return a - b\n}\n',
  ...Object.fromEntries([1, 2, 3, 4].map((number) => [`test/sum-${number}.test.js`, test(number)])),
}
const fixed = 'export function sum(a, b) {\n  return a + b\n}\n'

export async function figures() {
  const base = mkdtempSync(join(tmpdir(), 'loader-bench-done-'))
  const root = join(base, 'project')
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const project = findProject(root, { variables: { ...process.env, LOADER_STATE: join(base, 'state') } })
    const edit = line('', call('write', { file_path: 'src/sum.js', content: fixed }))
    const runs = await worked(root, project, [edit, line('Fixed.')])
    const again = await checkedAgain(root, project)
    return figuresOf(runs, again)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** The runs of the check that a fix took, with how long each was. */
async function worked(root, project, lines) {
  const runs = []
  const config = { permissionMode: 'allow' }
  await using agent = localAgent({ backend: new ScriptedBackend(...lines), projectRoot: root, project, config })
  const onEvent = (event) => {
    if (event.type === 'check.finished' && event.evidence.notShown === undefined) runs.push(event.evidence)
  }
  const { verdict } = await agent.run('Fix sum.', { onEvent })
  if (verdict !== 'verified') throw new Error(`The fix was not verified but ${verdict}.`)
  return runs.map(({ room, again, kept, startedAt, finishedAt }) => ({
    room,
    isRepeat: again !== undefined,
    isKept: kept === true,
    ms: Date.parse(finishedAt) - Date.parse(startedAt),
  }))
}

/** Another process, another session, the same files. */
async function checkedAgain(root, project) {
  const counts = { ran: 0, kept: 0 }
  await using agent = localAgent({ backend: new ScriptedBackend(), projectRoot: root, project })
  await agent.check({ onRoom: (_check, _room, kept) => void (counts[kept ? 'kept' : 'ran'] += 1) })
  return counts
}

function figuresOf(runs, again) {
  const now = runs.find(({ room, isRepeat }) => room === 'now' && !isRepeat)
  const once = runs.filter(({ isRepeat, isKept }) => !isRepeat && !isKept)
  const sum = (some) => some.reduce((total, { ms }) => total + ms, 0)
  return [
    shown('the check itself', now.ms, 'ms'),
    atMost('a fix, in runs of the check, repeats not counted', sum(once) / now.ms, 'x', 2.6),
    shown(
      'a fix, in runs of the check, with what is run twice',
      sum(runs.filter(({ isKept }) => !isKept)) / now.ms,
      'x',
    ),
    atMost('runs of a second verification of the same files', again.ran, 'runs', 0),
  ]
}
