import { RuntimeHandle } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { ScriptedBackend, type ScriptLine } from '@loader/test-harness'
import { storeOf } from '../sessions/store-of.ts'

/** The agent, the store, the policy and the tools that everybody has; only the model is read from a script. */
export function demoAgent(root: string, script: readonly ScriptLine[]): RuntimeHandle {
  const store = storeOf({ root })
  const backend = ScriptedBackend.from(script)
  return new RuntimeHandle(localOptions({ backend, projectRoot: root, store, title: 'Demo' }))
}
