import { MemoryStore, type History } from '@loader/session-core'
import type { Approver, PermissionMode, Tool } from '@loader/session-core/coding'
import { line, ScriptedBackend, type ScriptedCall } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { Agent, type AgentConfig } from '../../src/index.ts'
import { localOptions } from '../../src/local.ts'
import { quickEnvironment } from '../scene/environment.ts'
import { historyOf } from '../scene/scene.ts'
import { withoutTrees } from '../scene/without-trees.ts'

export interface Attempt {
  readonly root: string
  readonly calls: readonly ScriptedCall[]
  readonly mode: PermissionMode
  readonly approver?: Approver
  readonly config?: AgentConfig
  readonly tools?: readonly Tool[]
  readonly trusted?: boolean
}

/** Somebody who says no to everything. */
const nay: Approver = { decide: async () => ({ permit: 'deny', scope: 'once' }) }

/** A model makes all these calls in one answer, and then gives up. */
export async function attempt({ root, calls, mode, approver = nay, config = {}, ...rest }: Attempt): Promise<History> {
  const store = new MemoryStore()
  const last = line('That is all that I could do.')
  const backend = new ScriptedBackend(line('I try it.', ...calls), last, last, last)
  const settings = {
    ...config,
    permissionMode: mode,
    completionCheck: false,
    limits: { maxNudges: 0, verificationRetries: 0 },
  }
  const options = localOptions({ backend, projectRoot: root, store, config: settings, ...rest })
  // From CI on, what is tried meets trees and rooms as well.
  const workspace = fromCi ? options.workspace : withoutTrees(options.workspace)
  await using agent = new Agent({ ...options, workspace, environment: quickEnvironment() })
  await agent.run('Do what has to be done here.', { approver, mode: 'execute' })
  return historyOf(store, agent.session.id)
}
