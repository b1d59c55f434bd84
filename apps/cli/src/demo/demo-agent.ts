import { join } from 'node:path'
import { RuntimeHandle } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { FileSessionStore } from '@loader/session-fs'
import { ScriptedBackend, type ScriptLine } from '@loader/test-harness'
import { findProject, wallsAround } from '@loader/workspace'

/**
 * The agent, the store, the policy and the tools that everybody has; only the model is read from a script. What it runs
 * is known, so it does without walls where there are none.
 */
export async function demoAgent(root: string, script: readonly ScriptLine[]): Promise<RuntimeHandle> {
  const store = new FileSessionStore({ root })
  const backend = ScriptedBackend.from(script)
  const { state } = await wallsAround({ root }).state()
  const walls = { use: state === 'missing' ? 'off' : 'required' } as const
  // Everything that is kept of a demo lies in its folder.
  const project = findProject(root, { variables: { LOADER_STATE: join(root, '.loader', 'state') } })
  return new RuntimeHandle(localOptions({ backend, projectRoot: root, project, store, walls, title: 'Demo' }))
}
