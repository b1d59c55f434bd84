import { RuntimeHandle } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { FileSessionStore } from '@loader/session-fs'
import { ScriptedBackend, type ScriptLine } from '@loader/test-harness'

/** The agent, the store, the policy and the tools that everybody has; only the model is read from a script. */
export function demoAgent(root: string, script: readonly ScriptLine[]): RuntimeHandle {
  const store = new FileSessionStore({ root })
  const backend = ScriptedBackend.from(script)
  return new RuntimeHandle(localOptions({ backend, projectRoot: root, store, title: 'Demo' }))
}
