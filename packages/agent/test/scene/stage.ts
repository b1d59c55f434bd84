import type { Backend, History } from '@loader/session-core'
import { ScriptedBackend, type ScriptLine } from '@loader/test-harness'
import { expect } from 'vitest'
import type { Agent } from '../../src/index.ts'
import { quickEnvironment } from './environment.ts'
import { type Scene, scene, type SceneOptions } from './scene.ts'
import { faultsOf } from './whole.ts'

/** A scene with a script, on which nobody has to wait. */
export interface Stage extends AsyncDisposable {
  readonly place: Scene
  readonly agent: Agent
  readonly backend: ScriptedBackend
  /** That everything is in order, and what is stored. */
  expectWhole(): Promise<History>
}

export interface StageOptions extends Omit<SceneOptions, 'lines' | 'backend'> {
  /** Asked instead of the script. */
  readonly backend?: Backend
}

export async function stage(lines: readonly ScriptLine[], options: StageOptions = {}): Promise<Stage> {
  const backend = new ScriptedBackend(...lines)
  const place = await scene({ environment: quickEnvironment(), backend, ...options })
  return {
    place,
    agent: place.agent,
    backend,
    async expectWhole() {
      const history = await place.history()
      expect(faultsOf({ history, requests: backend.requests, state: place.agent.session.state })).toEqual([])
      return history
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  }
}
