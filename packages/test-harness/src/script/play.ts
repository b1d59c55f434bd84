import { BackendError, type BackendEvent, type Signal } from '@loader/session-core'
import { throwIfAborted, unlessAborted } from './abort.ts'
import { doneOf, partsOf } from './answer.ts'
import { chunksOf } from './chunks.ts'
import type { StreamFault } from './fault.ts'
import type { Completion } from './script.ts'

export interface PlayStage {
  /** The name of the line in errors. */
  readonly place: string
  readonly model: string
  readonly signal: Signal | undefined
  /** Moves a fake clock forward. */
  readonly wait: ((milliseconds: number) => void | Promise<void>) | undefined
}

/** Streams the answer of a line. */
export async function* play(line: Completion, stage: PlayStage): AsyncGenerator<BackendEvent, void, undefined> {
  const { signal } = stage
  const { fault } = line
  const parts = partsOf(line)
  const chunks = chunksOf(parts, line.chunks)
  for (const chunk of fault && 'after' in fault ? chunks.slice(0, fault.after) : chunks) {
    if (fault?.type === 'drip') await drip(fault.delayMs, stage)
    throwIfAborted(signal)
    yield chunk
  }
  throwIfAborted(signal)
  if (fault?.type === 'throw') throw new BackendError(failureOf(fault))
  if (fault?.type === 'stall') await stall(stage)
  if (fault?.type === 'cut') return
  yield doneOf(line, parts, stage.model)
}

async function drip(delayMs: number, { wait, signal, place }: PlayStage): Promise<void> {
  if (wait === undefined) {
    throw new Error(
      `${place} drips, but there is no clock to pass the time on. Pass environment or wait to ScriptedBackend.from.`,
    )
  }
  await unlessAborted(Promise.resolve(wait(delayMs)), signal)
}

async function stall({ signal, place }: PlayStage): Promise<void> {
  if (signal === undefined) {
    throw new Error(`${place} stalls until it is aborted, but the request came without a signal. Pass one to stream.`)
  }
  await unlessAborted(new Promise<never>(() => {}), signal)
}

function failureOf({ kind, message, status, retryAfterMs }: Extract<StreamFault, { type: 'throw' }>) {
  return {
    kind,
    message: message ?? `The script fails this request: ${kind}.`,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}
