/** A writer in a thread that stands still before one of its calls, until it is told to go on. */
import fileSystem from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { type CommitMode, FileSessionStore } from '@loader/session-fs'
import { interrupted } from './interrupted.ts'
import { type Outcome, runScript, scriptRotation } from './script.ts'

export interface Task {
  readonly directory: string
  readonly commit: CommitMode
  readonly expect: 'new' | 'existing'
  /** Before which call it stands still, counted from 1. */
  readonly stopBefore: number
  /** 0 while it is to stand still. */
  readonly signal: Int32Array<SharedArrayBuffer>
}

export interface Report {
  readonly kind: 'report'
  /** The events that it was told are stored, as they are written. */
  readonly acknowledged: readonly string[]
  readonly outcomes: readonly Outcome[]
  /** The call it stood before, if it came that far. */
  readonly stoppedBefore: string | undefined
}

/** Said right before it stands still. */
export interface Standing {
  readonly kind: 'standing'
}

/** The process that the thread plays. */
export const standingProcess = { pid: 101, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null }

parentPort?.on('message', (task: Task) => void play(task))

async function play({ directory, commit, expect, stopBefore, signal }: Task): Promise<void> {
  let calls = 0
  let stoppedBefore: string | undefined
  const port = interrupted(fileSystem, ({ name, paths }) => {
    calls += 1
    if (calls !== stopBefore) return
    stoppedBefore = `${name} ${paths.map((path) => path.slice(directory.length + 1)).join(' -> ')}`
    parentPort?.postMessage({ kind: 'standing' } satisfies Standing)
    Atomics.wait(signal, 0, 0)
  })
  const processes = { self: standingProcess, stateOf: () => 'alive' as const }
  const store = new FileSessionStore(
    { directory },
    { commit, fileSystem: port, rotateAfterBytes: scriptRotation, processes },
  )
  const acknowledged: string[] = []
  const outcomes = await runScript(store, 'one', {
    by: 'old',
    expect,
    settled: (line, outcome) => outcome === 'ok' && acknowledged.push(line),
  })
  parentPort?.postMessage({ kind: 'report', acknowledged, outcomes, stoppedBefore } satisfies Report)
}
