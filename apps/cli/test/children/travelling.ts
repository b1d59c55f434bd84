// Goes on with a session in a database, in a folder that is prepared for it, and prints what happens:
// `node travelling.ts ADDRESS TENANT FOLDER STATE STEPS`. The steps are a list of lists of calls, as JSON.
import { join } from 'node:path'
import { localAgent } from '@loader/agent/local'
import { LoaderError, type Message, type ModelRequest } from '@loader/session-core'
import { PostgresSessionStore } from '@loader/session-postgres'
import { type Completion, line, ScriptedBackend, ScriptedCall } from '@loader/test-harness'
import { findProject, prepareWorkspace } from '@loader/workspace'
import * as z from 'zod'

const [address = '', tenant = '', home = '', words = '[]'] = process.argv.slice(2)
const steps = z.array(z.array(ScriptedCall)).parse(JSON.parse(words))

/** Which step comes next is read off the conversation, so that every machine has the same model. */
function answer({ purpose, messages }: ModelRequest): Completion {
  const begun = messages.findIndex(({ content }) => JSON.stringify(content).includes('And go on.'))
  const done = messages.slice(begun).filter(({ role }) => role === 'assistant').length
  const calls = purpose === 'answer' ? steps[done] : undefined
  return calls === undefined ? line('All is done.') : line(`Step ${done + 1}.`, ...calls)
}

function resultOf({ content }: Message): string {
  return content.flatMap((part) => (part.type === 'result' ? [part.outcome] : [])).join()
}

const store = new PostgresSessionStore(address, { tenant, leaseMs: 2_000, timeoutMs: 3_000 })
try {
  const root = join(home, 'project')
  const variables = { ...process.env, LOADER_STATE: join(home, 'state') }
  process.env['LOADER_STATE'] = variables.LOADER_STATE
  const prepared = await prepareWorkspace({ store, sessionId: 's', folder: root, variables })
  console.log(`${prepared.kind} ${prepared.root}`)
  await using agent = localAgent({
    backend: new ScriptedBackend(...Array.from({ length: 50 }, () => answer)),
    projectRoot: root,
    project: findProject(root, { variables }),
    store,
    sessionId: 's',
    walls: { use: 'off' },
    config: { permissionMode: 'allow', completionCheck: false },
  })
  await agent.resumeSession('s')
  const onEvent = ({ type }: { readonly type: string }) => {
    if (['tool.started', 'workspace.saved', 'tool.finished'].includes(type)) console.log(type)
  }
  const result = await agent.continue({ onEvent })
  console.log(
    `ended ${result?.reason} ${agent.messages
      .map(resultOf)
      .filter((text) => text !== '')
      .join(' ')}`,
  )
} catch (error) {
  console.log(LoaderError.is(error) ? `failed ${error.code}` : `failed ${String(error)}`)
}
await store.close().catch(() => undefined)
