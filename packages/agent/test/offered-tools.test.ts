import { call, line, ScriptedBackend, temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { describeTools } from '../src/calls/tool-descriptions.ts'
import { localAgent, localOptions } from '../src/local.ts'
import { offerTools, type WantedTools } from '../src/offer-tools.ts'

const background = { background: true, fetch: true }

/** The requests of a small task, as they go to a model. */
async function requestsWith(offered: WantedTools | undefined): Promise<string> {
  await using workspace = await temporaryWorkspace()
  const backend = ScriptedBackend.from([line(call('bash', { command: 'echo hello' })), line('Hello.')])
  const walls = { use: 'off' as const }
  const agent = localAgent({
    backend,
    projectRoot: workspace.root,
    walls,
    ...(offered && { offered: offerTools(offered) }),
  })
  await agent.run('Say hello.', {
    mode: 'execute',
    approver: { decide: async () => ({ permit: 'allow', scope: 'once' }) },
  })
  await agent.close()
  const said = backend.requests.map(({ system, tools, messages }) => [
    system,
    tools,
    messages.map(({ role, content }) => [role, content]),
  ])
  return JSON.stringify(said)
    .replaceAll(workspace.root, '/project')
    .replaceAll(/call_\w+/g, 'call')
}

test('requests have the same bytes as before unless the tools are offered', async () => {
  const usual = await requestsWith(undefined)
  expect(await requestsWith({})).toBe(usual)
  expect(await requestsWith({ background: false, fetch: false })).toBe(usual)
  expect(usual).not.toMatch(/"(?:background|publish|fetch)","description"/)
  // As bash was before there were background commands.
  expect(usual).toContain(
    'Nothing that it starts outlives it: there are no background processes. It is stopped after 120 seconds',
  )
  expect(usual).toContain('"description":"not possible: nothing outlives its command"')
  expect((await requestsWith(background)).length).toBeGreaterThan(usual.length)
})

test('what is offered is little', () => {
  const options = { backend: ScriptedBackend.from([]), projectRoot: '/', walls: { use: 'off' as const } }
  const size = (offered: WantedTools) =>
    JSON.stringify(describeTools(localOptions({ ...options, offered: offerTools(offered) }).tools)).length
  expect(size({ fetch: true }) - size({})).toBeLessThan(900)
  expect(size({ background: true }) - size({})).toBeLessThan(2600)
})
