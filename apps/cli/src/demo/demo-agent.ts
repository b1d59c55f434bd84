import { RuntimeHandle } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { FileSessionStore } from '@loader/session-fs'
import { ScriptedBackend, type ScriptLine } from '@loader/test-harness'
import { wallsAround } from '@loader/workspace'

/**
 * The agent, the store, the policy and the tools that everybody has; only the model is read from a script. What it runs
 * is known, so it does without walls where there are none.
 */
export async function demoAgent(root: string, script: readonly ScriptLine[]): Promise<RuntimeHandle> {
  const store = new FileSessionStore({ root })
  const backend = ScriptedBackend.from(script)
  const { state } = await wallsAround({ root }).state()
  const walls = { use: state === 'missing' ? 'off' : 'required' } as const
  return new RuntimeHandle(localOptions({ backend, projectRoot: root, store, walls, title: 'Demo' }))
}
