import { findProject } from '@loader/workspace'
import { LoaderError, MemoryStore, readSession, Session, type SessionStore } from '@loader/session-core'
import type { Dispatch } from '@loader/session-postgres/dispatch'
import { fixedEnvironment, temporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { queueTask } from '../../src/fleet/queue-task.ts'

const dispatch = { offer: async () => true } as object as Dispatch
const task = { text: 'Once more.', wishes: {} }

test.runIf(fromCi)(
  'whoever only looks at a session is waited for when a task is queued in it; whoever works on it is not',
  async () => {
    await using workspace = await temporaryWorkspace()
    const project = findProject(workspace.root, { variables: { LOADER_STATE: workspace.path('state') } })
    const places = { root: workspace.root, project: () => project }
    const kept = new MemoryStore()
    await using looking = await Session.open(kept, { environment: fixedEnvironment() })
    const { id } = looking
    let refusals = 0
    const store: SessionStore = Object.assign(Object.create(kept) as SessionStore, {
      claim: async (...given: Parameters<SessionStore['claim']>) => {
        try {
          return await kept.claim(...given)
        } catch (error) {
          refusals += Number(LoaderError.is(error, 'session_busy'))
          if (refusals === leavesAfter) await looking.close()
          throw error
        }
      },
    })

    let leavesAfter = Number.POSITIVE_INFINITY
    await expect(queueTask(task, { id }, { store, dispatch, places })).rejects.toMatchObject({ code: 'session_busy' })
    expect((await readSession(kept, id)).state.queue).toEqual([])
    leavesAfter = refusals + 2
    await queueTask(task, { id }, { store, dispatch, places })
    expect(refusals).toBe(leavesAfter)
    expect((await readSession(kept, id)).state.queue).toMatchObject([{ text: 'Once more.' }])
  },
)
