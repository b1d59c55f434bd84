import { tmpdir } from 'node:os'
import {
  type EventInput,
  isSessionEvent,
  MemoryStore,
  type History,
  readSession,
  shownText,
} from '@loader/session-core'
import type { PermissionRule } from '@loader/session-core/coding'
import { crashMatrix, ScriptedBackend, temporaryWorkspace } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { replaySession } from '../src/index.ts'
import { localOptions } from '../src/local.ts'
import * as clarifyToVerify from './crash-matrix/clarify-to-verify.ts'
import * as compacting from './crash-matrix/compacting.ts'
import { type Outcome, type World, workspaceOf } from './crash-matrix/program.ts'
import * as tenTools from './crash-matrix/ten-tools.ts'
import { recordedRuns } from './replay/recorded-runs.ts'
import type { Scene } from './scene/scene.ts'

/** Where calls come to what they came to, no matter what lies there. */
const elsewhere = tmpdir()
const programs = [tenTools, clarifyToVerify, compacting]

/** An agent as it would go on with the session now. */
function agentIn(projectRoot: string, { store }: Pick<Scene, 'store'>) {
  const options = localOptions({ backend: new ScriptedBackend(), projectRoot, store, walls: { use: 'off' } })
  return { ...options, workspace: workspaceOf(options) }
}

describe('an honest history replays as it was', () => {
  test.for(recordedRuns)('with $what', async ({ make, expected }) => {
    await using place = await make()
    const history = await place.history()
    expect(history.map(({ type }) => type)).toEqual(expect.arrayContaining([...expected]))
    const replay = await replaySession(history, { tools: 'stub', agent: agentIn(place.workspace.root, place) })
    expect(replay).toEqual({ kind: 'decided', divergence: null, replayed: history.length })
  })

  test.for(programs)('with its calls made again in a copy of the workspace (%#)', async (program) => {
    const { history, store, files } = await recorded(program)
    await using copy = await temporaryWorkspace({ files: program.files })
    const replay = await replaySession(history, { tools: 'rerun', agent: agentIn(copy.path('project'), { store }) })
    expect(replay).toEqual({ kind: 'decided', divergence: null, replayed: history.length })
    expect(await copy.files()).toMatchObject(files)
  })

  test('wherever the process had ended on the way', { timeout: 900_000 }, async () => {
    for (const program of sample(programs, { quick: 1 })) {
      const worlds: (World & { readonly store: MemoryStore })[] = []
      const { failures } = await crashMatrix<Outcome, World>({
        mode: 'in-process',
        ...program,
        async prepare() {
          const world = { ...(await temporaryWorkspace({ files: program.files })), store: new MemoryStore() }
          worlds.push(world)
          return world
        },
        async check() {
          const { store, root } = worlds.at(-1) as (typeof worlds)[number]
          const { history } = await readSession(store, 'matrix')
          const replay = await replaySession(history, { tools: 'stub', agent: agentIn(root, { store }) })
          expect(replay).toEqual({ kind: 'decided', divergence: null, replayed: history.length })
        },
        only: sample(
          Array.from({ length: 60 }, (_unused, index) => index + 1),
          { quick: 2, ci: 6 },
        ),
      })
      expect(failures).toEqual([])
    }
  })

  test('as far as it goes, when the session was never taken up again', async () => {
    const { history, store } = await tenToolsOnce()
    for (let length = 3; length < history.length; length += 7) {
      const replay = await replaySession(history.slice(0, length), {
        tools: 'stub',
        agent: agentIn(elsewhere, { store }),
      })
      expect(replay).toEqual({ kind: 'decided', divergence: null, replayed: length })
    }
  })
})

describe('the first divergence is named', () => {
  test('prompt, when it reads differently now', async () => {
    const { history, store } = await tenToolsOnce()
    const changed = history.map((event) => {
      if (!isSessionEvent(event) || event.type !== 'prompt.rendered') return event
      return { ...event, text: shownText(event.text).replace('in small steps', 'in giant leaps') }
    })
    const { seq } = first(history, 'prompt.rendered')
    const { divergence } = await replaySession(changed, { tools: 'stub', agent: agentIn(elsewhere, { store }) })
    expect(divergence).toMatchObject({ class: 'prompt', seq, path: 'text' })
    expect(divergence?.expected).toContain('in giant leaps')
    expect(divergence?.actual).toContain('in small steps')
  })

  test('tool schema, when the model is told about other tools now', async () => {
    const { history, store } = await tenToolsOnce()
    const agent = agentIn(elsewhere, { store })
    const [tool, ...others] = agent.tools
    const tools = [{ ...tool, description: 'Reads, as never before.' } as (typeof agent.tools)[number], ...others]
    const { divergence, replayed } = await replaySession(history, { tools: 'stub', agent: { ...agent, tools } })
    const { seq, tools: described } = first(history, 'policy.applied')
    expect(divergence).toMatchObject({ class: 'tool_schema', seq, path: 'tools.digest', expected: described?.digest })
    expect(divergence?.actual).not.toBe(described?.digest)
    expect(replayed).toBe(seq - 1)
  })

  test('order, when another policy decides', async () => {
    const { history, store } = await tenToolsOnce()
    const rule: PermissionRule = { permit: 'deny', tool: 'bash' }
    const { divergence } = await replaySession(history, {
      tools: 'stub',
      agent: agentIn(elsewhere, { store }),
      policy: (policy) => ({ ...policy, permission: { ...policy.permission, rules: [rule] } }),
    })
    const examined = history.find(
      (event) => isSessionEvent(event) && event.type === 'call.examined' && event.command !== undefined,
    )
    expect(divergence).toMatchObject({
      class: 'order',
      seq: (examined?.seq ?? 0) + 1,
      expected: 'allow',
      actual: 'deny',
    })
    expect(divergence?.path).toBe('permit')
  })

  test('order, when something else came next than comes now', async () => {
    const { history, store } = await tenToolsOnce()
    const { seq } = first(history, 'permission.decided')
    const without = history.filter((event) => event.seq !== seq).map((event, index) => ({ ...event, seq: index + 1 }))
    const { divergence } = await replaySession(without, { tools: 'stub', agent: agentIn(elsewhere, { store }) })
    const expected = history[seq]?.type
    expect(divergence).toEqual({ class: 'order', seq, path: 'type', expected, actual: 'permission.decided' })
  })

  test('order, when nothing more would come now', async () => {
    const { history, store } = await tenToolsOnce()
    const entry = { id: 'more', kind: 'verify_skip', mode: 'execute', reasonCode: 'more', summary: 'more' } as const
    const more: EventInput = { type: 'workflow.decided', entry }
    const seq = history.length + 1
    const longer = [...history, { ...more, seq, at: history.at(-1)?.at ?? '' }]
    const { divergence } = await replaySession(longer, { tools: 'stub', agent: agentIn(elsewhere, { store }) })
    expect(divergence).toEqual({ class: 'order', seq, path: 'type', expected: 'workflow.decided', actual: null })
  })

  test('effect, when a file is not what it was', async () => {
    const { history, store } = await tenToolsOnce()
    await using copy = await temporaryWorkspace({ files: { ...tenTools.files, 'project/src/greet.sh': 'echo "Ho"\n' } })
    const agent = agentIn(copy.path('project'), { store })
    const { divergence } = await replaySession(history, { tools: 'rerun', agent })
    const searched = history
      .filter(isSessionEvent)
      .find((event) => event.type === 'tool.finished' && shownText(event.text).includes('Hi'))
    expect(divergence).toMatchObject({ class: 'effect', seq: searched?.seq, path: 'text' })
    expect(divergence?.expected).toContain('Hi, world')
  })
})

let ofTenTools: ReturnType<typeof recorded> | undefined

/** The same history for all who change nothing of it. */
function tenToolsOnce(): ReturnType<typeof recorded> {
  return (ofTenTools ??= recorded(tenTools))
}

async function recorded(program: (typeof programs)[number]) {
  await using workspace = await temporaryWorkspace({ files: program.files })
  const store = new MemoryStore()
  let ids = 0
  const { files } = await program.scenario({
    world: { root: workspace.root, store },
    store,
    environment: { now: () => new Date().toISOString(), newId: (prefix) => `${prefix}_${(ids += 1)}` },
    effect: async (_name, run) => run(),
    boundary: async () => undefined,
  })
  const inProject = Object.entries(files).map(([path, text]) => [`project/${path}`, text] as const)
  return { history: (await readSession(store, 'matrix')).history, store, files: Object.fromEntries(inProject) }
}

function first<Type extends EventInput['type']>(history: History, type: Type) {
  const event = history.filter(isSessionEvent).find((one) => one.type === type)
  if (event === undefined) throw new Error(`There is no ${type} in the history.`)
  return event as Extract<typeof event, { type: Type }>
}
