import { requireMethod, requireTool } from '@loader/session-core/coding'
import type { Hook } from './hooks.ts'
import type { AgentPorts } from './stage.ts'

/** Checks that every function of the ports exists, before anything runs. */
export function requirePorts({ tools, hooks, backend }: Pick<AgentPorts, 'tools' | 'hooks' | 'backend'>): void {
  for (const tool of tools) requireTool(tool)
  for (const hook of hooks) requireHook(hook)
  requireMethod('The backend', backend, 'stream', 'an async iterable of events that ends in one with type "done"')
}

function requireHook(hook: Hook): void {
  requireMethod(`The hook ${hook?.name}`, hook, 'run', 'nothing, or { decision, permit, input, message }')
}
