import { isSessionEvent, MemoryStore, readSession, type History } from '@loader/session-core'
import type { Tool, ToolServer, ToolSource } from '@loader/session-core/coding'
import { call, line, ScriptedBackend, temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { replaySession } from '../src/index.ts'
import { localAgent, localOptions } from '../src/local.ts'

function served(name: string, description: string, run: () => void): Tool {
  return {
    name,
    title: `Call ${name}`,
    description,
    input: z.record(z.string(), z.unknown()),
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    effect: 'probe',
    rule: { names: [`mcp__${name}`], takes: 'path' },
    examine: async (input) => ({ valid: true, input, effect: 'probe', paths: [], intent: [] }),
    async run() {
      run()
      return { outcome: 'ok', text: `${name} has answered` }
    },
  }
}

/** A server that offers another tool once its first one was called. */
function source(): ToolSource & { readonly calls: () => number } {
  let calls = 0
  const called = () => {
    calls += 1
  }
  const all = [
    served('files__find', 'Finds files.\nBy their id.', called),
    served('files__more', 'Finds more.', called),
  ]
  const lists = [all.slice(0, 1), all]
  const servers: readonly ToolServer[] = [{ name: 'files', state: 'connected', transport: 'stdio' }]
  return {
    get tools() {
      return lists[calls === 0 ? 0 : 1] ?? []
    },
    servers,
    refresh: async () => {},
    calls: () => calls,
  }
}

async function recorded(root: string, nativeTools: boolean) {
  const store = new MemoryStore()
  const toolSource = source()
  const backend = ScriptedBackend.from([
    line('I look.', call('files__find', { id: 7 })),
    line('I look again.', call('files__find', { id: '8' }), call('nothing__here', {})),
    line('And more.', call('files__more', { id: 9 }), call('todo_write', { todos: [] })),
    line('Found.'),
  ])
  const config = { completionCheck: false, permissionMode: 'allow', nativeTools } as const
  await using agent = localAgent({ backend, projectRoot: root, store, toolSource, config, walls: { use: 'off' } })
  await agent.run('Find it', { mode: 'execute' })
  expect(toolSource.calls()).toBe(3)
  const { history } = await readSession(store, agent.session.id)
  const options = localOptions({ backend, projectRoot: root, store, walls: { use: 'off' } })
  const replayed = (changed: History = history, tools: readonly Tool[] = options.tools) =>
    replaySession(changed, { tools: 'stub', agent: { ...options, tools } })
  return { history, options, replayed, calls: toolSource.calls }
}

const isPrompt = ({ type }: { readonly type: string }) => type === 'prompt.rendered'

describe('a session with tools of servers', () => {
  test.each([true, false])('is replayed without its servers (native tools: %s)', async (nativeTools) => {
    await using workspace = await temporaryWorkspace()
    const { history, replayed, calls } = await recorded(workspace.root, nativeTools)
    expect(await replayed()).toEqual({ kind: 'decided', divergence: null, replayed: history.length })
    expect(calls()).toBe(3)
  })

  test('is replayed strictly in all else: other tools of the program, prompts and results are told', async () => {
    await using workspace = await temporaryWorkspace()
    const { history, options, replayed } = await recorded(workspace.root, true)
    const more = [...options.tools, served('brand_new', 'New.', () => {})]
    expect((await replayed(history, more)).divergence).toMatchObject({ class: 'tool_schema', path: 'tools.names' })
    const others = history.map((event) => {
      if (!isSessionEvent(event) || event.type !== 'prompt.rendered') return event
      return {
        ...event,
        sections: event.sections.map((one) => (one.name === 'Rules' ? { ...one, digest: 'other' } : one)),
      }
    })
    const first = history.find(isPrompt)
    expect((await replayed(others)).divergence).toMatchObject({ class: 'prompt', seq: first?.seq })
    const failed = history.map((event) =>
      isSessionEvent(event) && event.type === 'permission.decided' ? { ...event, permit: 'deny' as const } : event,
    )
    expect((await replayed(failed)).divergence).not.toBeNull()
  })
})
