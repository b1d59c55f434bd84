import { RuntimeHandle, type TaskOptions } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { LoaderError, type SessionStore } from '@loader/session-core'
import type { Dispatch } from '@loader/session-postgres/dispatch'
import { noBackend } from '../run/no-backend.ts'
import type { Places } from '../places/places.ts'
import { onceFree } from '../sessions/once-free.ts'

/** A task for a worker. */
export interface QueuedTask {
  readonly text: string
  readonly wishes: Pick<TaskOptions, 'mode' | 'doneWhen'>
}

/** Where what was queued can be followed from, and why the files of the project did not come along, if so. */
export interface Queued {
  readonly id: string
  readonly inputId: string
  readonly fromSeq: number
  readonly notSaved?: string
}

export interface QueueParts {
  readonly store: SessionStore
  readonly dispatch: Dispatch
  readonly places: Pick<Places, 'root' | 'project'>
  /** Patterns of ignored files that go along. */
  readonly carry?: readonly string[] | undefined
  /** The id of the input, of a task that may be sent again. */
  readonly inputId?: string
}

/**
 * Puts a task in line for a worker: in a new session, or in one that no process has. The session joins the line before the
 * task is stored, and is held meanwhile, so no worker takes it in between.
 */
export async function queueTask(
  { text, wishes }: QueuedTask,
  { id, newId, title }: { readonly id?: string; readonly newId?: string; readonly title?: string | undefined },
  { store, dispatch, places, carry, inputId: wanted }: QueueParts,
): Promise<Queued> {
  const options = localOptions({
    backend: noBackend,
    projectRoot: places.root,
    project: places.project(),
    store,
    config: carry === undefined ? {} : { carry: carry.slice() },
    ...(title !== undefined && { title }),
    ...(newId !== undefined && { sessionId: newId }),
  })
  await using agent = new RuntimeHandle(options)
  if (id !== undefined && !(await onceFree(() => agent.resumeSession(id), { mostTries: 30 }))) {
    throw new LoaderError(
      'session_not_found',
      `Session ${id} is not there any more. See which there are: loader sessions`,
    )
  }
  const { inputId, seq, notSaved } = await agent.queue(text, {
    ...wishes,
    ...(wanted !== undefined && { inputId: wanted }),
    onHeld: (session) => offered(session, dispatch),
  })
  return { id: agent.session.id, inputId, fromSeq: seq, ...(notSaved !== undefined && { notSaved }) }
}

/** Puts the session in line for a worker. */
export async function offered(
  { id, epoch }: { readonly id: string; readonly epoch: number },
  dispatch: Dispatch,
): Promise<void> {
  if (await dispatch.offer(id, epoch)) return
  throw new LoaderError('writer_fenced', `Session ${id} was taken over. Nothing was queued; try again.`)
}
