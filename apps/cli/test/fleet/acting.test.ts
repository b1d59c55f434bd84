import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readSession } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import { type Server, sharedServer } from '@loader/test-postgres'
import { fromCi } from '@loader/test-tier'
import type { FleetAnswer, Standing } from '@loader/web/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { visitorOf, webOf } from '../e2e/stage/web-of.ts'
import { fleetStage } from './fleet-stage.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

const limit = { timeout: 30_000 }

describe.runIf(fromCi)('a page over a database', () => {
  test(
    'runs a task here, gives another to a worker, answers its question, and shows the line',
    { timeout: 120_000 },
    async () => {
      const write = (path: string) => line('I create it.', call('write', { path, content: 'a\n' }))
      await using fleet = await fleetStage(server, write('a.txt'), line('Done.'), write('b.txt'), {
        ...line('Done.'),
        repeat: 'any',
      })
      const web = await webOf(fleet.one, ['--port', '0', '--permission-mode', 'allow'], fleet.environment)
      const until = async (id: string, isSo: (standing: Standing) => boolean): Promise<Standing> => {
        let standing: Standing | undefined
        await expect.poll(async () => isSo((standing = await web.standing(id))), limit).toBe(true)
        return standing as Standing
      }
      const task = { project: fleet.one.project, mode: 'execute' } as const
      const here = await web.act('send', { ...task, text: 'Create a.txt' })
      expect(here).toMatchObject({ status: 200, state: 'recorded' })
      await until(here.session, ({ phase, holder }) => phase === 'resting' && holder === null)
      expect(readFileSync(fleet.one.path('a.txt'), 'utf8')).toBe('a\n')

      const body = { ...task, request: randomUUID(), text: 'Create b.txt', to: 'fleet' } as const
      const sent = await web.act('send', body)
      expect(sent).toMatchObject({ status: 200, state: 'recorded' })
      const id = sent.session
      // Another server is asked again, as after a restart.
      const other = await webOf(fleet.one, ['--port', '0'], fleet.environment)
      expect(await other.act('send', body)).toMatchObject({ status: 200, session: id, repeated: true })
      expect(await web.standing(id)).toMatchObject({ phase: 'running', holder: { words: 'in line for a worker' } })
      expect(await web.json<FleetAnswer>('/api/fleet')).toMatchObject({ workers: [], counts: { queued: 1 } })
      fleet.worker(['--permission-mode', 'prompt'])
      const { question } = await until(id, ({ phase, question: asked }) => phase === 'waiting' && asked !== null)
      const { questionId = '', shown = '' } = question ?? {}
      const about = { session: id, questionId, shown }
      await expect.poll(() => Date.now() - Date.parse(question?.askedAt ?? ''), limit).toBeGreaterThan(400)
      const answer = { kind: 'permit', permit: 'allow', scope: 'once' } as const
      const [first, second] = await Promise.all([
        web.act('answer', { ...about, answer }),
        other.act('answer', { ...about, answer: { ...answer, permit: 'deny' } }),
      ])
      expect([first?.status, second?.status].toSorted((a = 0, b = 0) => a - b)).toEqual([200, 409])
      const late = [first, second].find(({ status }) => status === 409)
      expect(late?.error).toMatchObject({ code: 'answered_elsewhere', by: 'browser' })
      await until(id, ({ phase, holder }) => phase === 'resting' && holder === null)
      const { history } = await readSession(fleet.store, id)
      const counts = ['input.queued', 'question.answered', 'turn.finished'].map(
        (type) => history.filter((event) => event.type === type).length,
      )
      expect(counts).toEqual([1, 1, 1])
      const guest = await visitorOf(web.address)
      expect((await guest.act('send', { session: 'ses_none', text: 'Hello?' })).error).toMatchObject({
        code: 'not_found',
      })
    },
  )
})
