import { call, line } from '@loader/test-harness'
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { StoreWithLeases } from './scene/lost-claim.ts'
import { ownTool, signalled } from './scene/own-tool.ts'
import { scene } from './scene/scene.ts'
import { stage } from './scene/stage.ts'

const words = 'Use the gadget.'
const config = { permissionMode: 'danger-full-access' } as const

test('the tools of a turn stop when the session is lost to another writer, and nothing is recorded after that', async () => {
  const store = new StoreWithLeases()
  const running = signalled()
  let told = false
  const gadget = ownTool('gadget', {
    run: (_input, { signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => {
          told = true
          resolve({ outcome: 'interrupted', text: 'stopped' })
        })
        running.reach()
      }),
  })
  await using set = await stage([line('I use it.', call('gadget'))], { store, tools: [gadget], config })
  const run = set.agent.run(words)
  await running.reached
  const before = await set.place.history()
  store.endLease()
  await expect(run).rejects.toMatchObject({ code: 'writer_fenced' })
  expect(told).toBe(true)
  expect(await set.place.history()).toEqual(before)
  expect(store.late).toBe(0)
  expect(set.agent.isRunning).toBe(false)
  await expect(set.agent.run('Go on.')).rejects.toMatchObject({ code: 'writer_fenced' })
})

test('a running request stops as well, and nothing is recorded', async () => {
  const store = new StoreWithLeases()
  const asked = signalled()
  let stopped = false
  const place = await scene({
    store,
    config,
    backend: {
      id: 'fake/waits',
      async *stream(_request, { signal } = {}) {
        asked.reach()
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
        stopped = true
        yield* []
      },
    },
  })
  await using _ = place
  const run = place.agent.run(words)
  await asked.reached
  const before = await place.history()
  store.endLease()
  await expect(run).rejects.toMatchObject({ code: 'writer_fenced' })
  expect(stopped).toBe(true)
  expect(await place.history()).toEqual(before)
})

test('the processes of a command are killed', async () => {
  const store = new StoreWithLeases()
  const name = `sleep 86400.${process.pid}`
  await using set = await stage([line('I wait.', call('bash', { command: `${name}; true` }))], { store, config })
  const run = set.agent.run(words)
  await expect.poll(() => isRunning(name), { timeout: 60_000 }).toBe(true)
  store.endLease()
  await expect(run).rejects.toMatchObject({ code: 'writer_fenced' })
  await expect.poll(() => isRunning(name), { timeout: 60_000 }).toBe(false)
})

/** Whether there is a process with these words: a command may see other numbers of processes than we do. */
function isRunning(words: string): boolean {
  return spawnSync('pgrep', ['-fx', words]).status === 0
}
