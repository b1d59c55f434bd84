import { join } from 'node:path'
import { RuntimeHandle } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { FileSessionStore } from '@loader/session-fs'
import { ScriptedBackend, type ScriptLine } from '@loader/test-harness'
import { findProject, wallsAround } from '@loader/workspace'

/**
 * The standard agent, store, policy and tools; only the model is scripted. The commands of the script are known, so the
 * demo also runs without walls.
 */
export async function demoAgent(root: string, script: readonly ScriptLine[]): Promise<RuntimeHandle> {
  const store = new FileSessionStore({ root })
  const backend = ScriptedBackend.from(script)
  const { state } = await wallsAround({ root }).state()
  const walls = { use: state === 'missing' ? 'off' : 'required' } as const
  // All state of a demo is kept in its folder.
  const project = findProject(root, { variables: { LOADER_STATE: join(root, '.loader', 'state') } })
  return new RuntimeHandle(localOptions({ backend, projectRoot: root, project, store, walls, title: 'Demo' }))
}
