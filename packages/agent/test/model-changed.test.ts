import { type Backend, BackendError } from '@loader/session-core'
import { line, ScriptedBackend } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { replaySession } from '../src/index.ts'
import { localOptions } from '../src/local.ts'
import { stage } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

const words = 'Create hello.txt in the workspace root.'
const refused = { kind: 'model_changed', message: 'scripted/model refused the request: it has no tools' }

/** A model that called tools by itself when it was described; by its first request it is another one. */
function replaced(script: ScriptedBackend): Backend & { readonly tools: number[] } {
  let isOther = false
  const tools: number[] = []
  return {
    id: script.id,
    tools,
    async describe() {
      return { model: script.id, nativeTools: !isOther, contextWindow: isOther ? 20_000 : 40_000 }
    },
    stream(request, options) {
      tools.push(request.tools.length)
      if (isOther) return script.stream(request, options)
      isOther = true
      throw new BackendError(refused)
    },
  }
}

test('a model that is another one than was known is asked again as what it is, in the same turn', async () => {
  const inText =
    '<tool_call>{"name": "write", "arguments": {"file_path": "hello.txt", "content": "hello\\n"}}</tool_call>'
  const backend = replaced(new ScriptedBackend(line(inText), line('Done.')))
  await using set = await stage([], { backend })
  expect(await set.agent.run(words)).toMatchObject({ reason: 'turn_complete', response: 'Done.' })
  expect(await set.place.workspace.files()).toEqual({ 'hello.txt': 'hello\n' })
  const history = await set.place.history()
  expect(eventsOf(history, 'model.failed')).toMatchObject([{ error: refused }])
  expect(eventsOf(history, 'policy.applied').map(({ model }) => model)).toMatchObject([
    { nativeTools: true, contextWindow: 40_000 },
    { nativeTools: false, contextWindow: 20_000 },
  ])
  // The run did not wait before it asked again, and the model without native tools was offered none.
  expect(eventsOf(history, 'wait.started')).toEqual([])
  expect(backend.tools.map((count) => count > 0)).toEqual([true, false, false])
  const options = localOptions({
    backend,
    projectRoot: set.place.workspace.root,
    store: set.place.store,
    walls: { use: 'off' },
  })
  const agent = { ...options, tools: options.tools.filter(({ name }) => name !== 'finish') }
  const replay = await replaySession(history, { tools: 'stub', agent })
  expect(replay).toEqual({ kind: 'decided', divergence: null, replayed: history.length })
})

test('a model that always is another one is not asked for ever', async () => {
  let asked = 0
  const backend: Backend = {
    id: 'scripted/model',
    stream() {
      asked += 1
      throw new BackendError(refused)
    },
  }
  await using set = await stage([], { backend })
  expect(await set.agent.run(words)).toMatchObject({ reason: 'retry_budget_exhausted' })
  expect(asked).toBeLessThan(10)
})
