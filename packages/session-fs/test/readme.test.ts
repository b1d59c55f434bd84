import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { FileSessionStore } from '../src/index.ts'
import { eventsOf } from './sample-sessions.ts'

const example = new URL('../../../examples/durable-session.mjs', import.meta.url)
const readme = new URL('../README.md', import.meta.url)

test('the README shows the example as it runs here', async () => {
  const source = await readFile(example, 'utf8')
  expect(await readFile(readme, 'utf8')).toContain(`\`\`\`js\n${source.slice(source.indexOf('\n') + 1)}\`\`\``)
})

test('the example loses nothing when its first process is killed', async () => {
  await using workspace = await temporaryWorkspace()
  const env = { ...process.env, NODE_OPTIONS: '--conditions=@loader/source --disable-warning=ExperimentalWarning' }
  const { stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(example), workspace.root], {
    env,
    encoding: 'utf8',
  })
  expect({ stdout, stderr }).toEqual({ stdout: 'Create hello.txt\n', stderr: '' })
  const store = new FileSessionStore({ directory: workspace.root })
  const [row] = (await store.list()).rows
  const types = (await eventsOf(store, row?.id ?? '')).map(({ type }) => type)
  expect(types).toEqual([
    'session.opened',
    'session.claimed',
    'input.queued',
    'turn.started',
    'session.claimed',
    'turn.finished',
  ])
})
