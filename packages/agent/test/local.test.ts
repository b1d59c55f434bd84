import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { hostname } from 'node:os'
import { ownerOf } from '@loader/session-core'
import type { Tool } from '@loader/session-core/coding'
import { call, line, ScriptedBackend, temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { FileSessionStore, hasSession } from '@loader/session-fs'
import { findProject } from '@loader/workspace'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type AgentEvent, RuntimeHandle } from '../src/index.ts'
import { localAgent, localEnvironment, localOptions } from '../src/local.ts'

let workspace: TemporaryWorkspace

beforeEach(async () => {
  workspace = await temporaryWorkspace()
})
afterEach(() => workspace.dispose())

const optionsWith = (...lines: Parameters<typeof ScriptedBackend.from>[0]) => ({
  backend: ScriptedBackend.from(lines),
  projectRoot: workspace.root,
  walls: { use: 'off' as const },
})

describe('a local agent', () => {
  test('leaves no trace until it is asked something', async () => {
    const agent = localAgent(optionsWith())
    expect(agent.session.id).toMatch(/^ses_/)
    await agent.close()
    expect(await workspace.files({ ignore: [] })).toEqual({})
  })

  test('keeps its sessions in the state folder of the user', async () => {
    await using agent = localAgent({ ...optionsWith(line('Hello.')), sessionId: 'mine', title: 'A talk' })
    await agent.run('hello')
    expect(await workspace.files({ ignore: [] })).toEqual({})
    const { folders, standing } = findProject(workspace.root)
    expect([standing.kind, hasSession(folders.sessions, 'mine')]).toEqual(['known', true])
    expect(agent.session.state).toMatchObject({
      title: 'A talk',
      project: { root: workspace.root },
      owner: ownerOf('Agent'),
    })
  })

  test('goes on with sessions that lie in the project where they are', async () => {
    const store = new FileSessionStore({ root: workspace.root })
    {
      await using agent = localAgent({ ...optionsWith(line('Hello.')), sessionId: 'old', store })
      await agent.run('hello')
    }
    await using agent = localAgent(optionsWith(line('Hello again.')))
    expect(await agent.resumeSession('old')).toBe(true)
    await agent.run('hello')
    expect((await store.list()).rows).toMatchObject([{ id: 'old', turns: 2 }])
    expect(hasSession(findProject(workspace.root).folders.sessions, 'old')).toBe(false)
  })

  test('shows no secret that it knows, whichever tool comes upon it', async () => {
    const secret = 'credential-of-the-runtime'
    await workspace.write('.env', `KEY=${secret}\nOTHER=x\n`)
    const speaks: Tool = {
      name: 'speaks',
      description: 'Says what it knows.',
      input: z.object({ how: z.string() }),
      effect: 'probe',
      async examine(input) {
        return { valid: true, input, effect: 'probe', paths: [], intent: [], preview: `It is ${secret}` }
      },
      async run(_, context) {
        context.onOutput?.(secret)
        throw new Error(`It was ${secret}.`)
      },
    }
    const fields: Tool = {
      ...speaks,
      name: 'fields',
      run: async () => ({ outcome: 'ok', text: 'x', metadata: { list: [{ of: `a ${secret} b` }], count: 1 } }),
    }
    const calls = [
      call('read', { file_path: '.env' }),
      call('grep', { pattern: 'KEY', path: '.env' }),
      call('bash', { command: 'cat .env; base64 -w0 .env' }),
      call('edit', { file_path: '.env', old_string: 'KEY=other', new_string: 'KEY=new' }),
      call('speaks', { how: 'a' }),
      call('fields', { how: 'a' }),
    ]
    await using agent = localAgent({
      ...optionsWith(line('I look.', ...calls), line('Done.')),
      sessionId: 'quiet',
      tools: [speaks, fields],
      config: { permissionMode: 'danger-full-access' },
      walls: { use: 'off', credentials: [secret] },
    })
    const shown: AgentEvent[] = []
    await agent.run('look', { onEvent: (event) => void shown.push(event) })
    // The last call says how it ended.
    const finished = shown.filter((event) => event.type === 'tool.finished').slice(0, calls.length)
    expect(finished.map(({ secretsReplaced }) => secretsReplaced)).toEqual([1, 1, 2, undefined, undefined, 1])
    const texts = JSON.stringify([shown, agent.messages])
    expect(texts).not.toContain(secret)
    // Said by all of them, by a tool in its preview, in what it prints and in its error, and before an edit was tried.
    expect(texts.split('KEY=[secret:known]').length).toBeGreaterThan(3)
    expect(texts).toMatch(/It is \[secret:known\]/)
    expect(texts).toMatch(/speaks failed: It was \[secret:known\]/)
    expect(await workspace.read('.env')).toContain(secret)
  })

  test('has the usual tools, of which its own take the place', async () => {
    const read: Tool<{ name: string }> = {
      name: 'read',
      description: 'Reads what the program knows.',
      input: z.object({ name: z.string() }),
      effect: 'probe',
      examine: async (input) => ({ valid: true, input, effect: 'probe', paths: [], intent: [] }),
      run: async ({ input }) => ({ outcome: 'ok', text: `All about ${input.name}.` }),
    }
    const tools = [read as Tool]
    await using agent = localAgent({
      ...optionsWith(line('I look.', call('read', { name: 'it' })), line('So it is.')),
      tools,
    })
    const usual = localAgent(optionsWith())
    expect([...agent.toolNames].sort()).toEqual([...usual.toolNames].sort())
    await agent.explore('What is it?')
    expect(agent.messages).toContainEqual(
      expect.objectContaining({ content: [expect.objectContaining({ type: 'result', text: 'All about it.' })] }),
    )
  })

  test.each([
    { trusted: false, permits: ['deny'] },
    { trusted: true, permits: ['allow', 'deny'] },
  ])('takes allow rules of the project only from whom it trusts (trusted: $trusted)', async ({ trusted, permits }) => {
    await workspace.write('.loader/permission-rules.json', '{"allow": ["Bash(curl:*)"], "deny": [{"tool": "write"}]}')
    const { config, rules } = localOptions({ ...optionsWith(), trusted })
    expect(
      rules?.()
        .map(({ permit }) => permit)
        .toSorted(),
    ).toEqual(permits)
    expect(config?.rulesSource).toBe(workspace.path('.loader', 'permission-rules.json'))
  })

  test('opens no file for rules where the project has none; where it has some, they hold from then on', async () => {
    const { rules } = localOptions(optionsWith())
    const { openSync } = fs
    const opened: string[] = []
    fs.openSync = (path, ...rest) => {
      opened.push(String(path))
      return openSync(path, ...rest)
    }
    syncBuiltinESMExports()
    try {
      expect([rules?.(), rules?.(), opened]).toEqual([[], [], []])
      await workspace.write('.loader/permission-rules.json', '{"deny": ["Bash(rm:*)"]}')
      opened.length = 0
      expect([rules?.().length, opened]).toEqual([1, [workspace.path('.loader', 'permission-rules.json')]])
    } finally {
      fs.openSync = openSync
      syncBuiltinESMExports()
    }
  })

  test('does not begin with rules that it cannot understand', async () => {
    await workspace.write('.loader/permission-rules.json', '{\n  "allow": ["Bash(git log:*"]\n}')
    expect(() => localAgent(optionsWith())).toThrow(
      /permission-rules\.json:2:\d+: .* No rule holds until this is mended\.$/,
    )
  })

  test('is the same under a runtime of its own', async () => {
    await using handle = new RuntimeHandle(localOptions(optionsWith(line('Hello.'))))
    await handle.run('hello')
    const process = { pid: globalThis.process.pid, host: hostname() }
    expect(handle.session.state?.owner).toEqual({ ...ownerOf('RuntimeHandle'), ...process })
  })
})

test('what is to happen later can be called off', async () => {
  const environment = localEnvironment()
  const happened: string[] = []
  const cancel = environment.after(1, () => happened.push('called off'))
  cancel()
  await new Promise<void>((resolve) => environment.after(5, () => resolve(void happened.push('came'))))
  expect(happened).toEqual(['came'])
})
