import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { call, line } from '@loader/test-harness'
import type { Standing } from '@loader/web/server'
import { describe, expect, test } from 'vitest'
import { type Running, type Stage, stage } from './stage/stage.ts'
import { type Web, webOf } from './stage/web-of.ts'

const limit = { timeout: 30_000 }

/** How a session stands, as soon as it stands so. */
async function untilStands(
  web: Pick<Web, 'standing'>,
  id: string,
  isSo: (standing: Standing) => boolean,
): Promise<Standing> {
  let standing: Standing | undefined
  await expect.poll(async () => isSo((standing = await web.standing(id))), limit).toBe(true)
  return standing as Standing
}

const phase = (wanted: Standing['phase']) => (standing: Standing) => standing.phase === wanted

async function typesOf(one: Stage, id: string): Promise<string[]> {
  return (await one.session(id)).history.map(({ type }) => type)
}

const write = line('I create it.', call('write', { path: 'a.txt', content: 'a\n' }))
const asking = ['--permission-mode', 'prompt'] as const

describe('a task that a page sends', () => {
  test('begins a session; of two windows that answer one counts, and the other is told so', async () => {
    await using one = await stage(write, { ...line('Done.'), repeat: 'any' })
    const web = await webOf(one, ['--port', '0', ...asking])
    const request = randomUUID()
    const body = { request, project: one.project, text: 'Create a.txt', mode: 'execute' } as const
    const [sent, again] = await Promise.all([web.act('send', body), web.act('send', body)])
    expect([sent, again]).toMatchObject([
      { status: 200, state: 'recorded' },
      { status: 200, repeated: true },
    ])
    const id = sent.session
    const { question } = await untilStands(web, id, phase('waiting'))
    if (question === null) throw new Error('Nothing is asked.')
    expect(question).toMatchObject({
      kind: 'permit',
      tool: 'write',
      title: 'Write a file',
      text: expect.stringContaining('+a'),
    })
    expect(await web.json('/api/sessions')).toMatchObject({ waiting: { [id]: 'permit' } })
    await expect.poll(() => Date.now() - Date.parse(question.askedAt)).toBeGreaterThan(400)
    const answer = { kind: 'permit', permit: 'allow', scope: 'once' } as const
    const given = { session: id, questionId: question.questionId, shown: question.shown, answer }
    const answers = await Promise.all([web.act('answer', given), web.act('answer', given)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.error).toMatchObject({
      code: 'answered_elsewhere',
      by: 'browser',
      permit: 'allow',
    })
    await untilStands(web, id, phase('resting'))
    expect(readFileSync(one.path('a.txt'), 'utf8')).toBe('a\n')
    const types = await typesOf(one, id)
    for (const type of ['session.opened', 'input.queued', 'question.answered', 'turn.finished'])
      expect(types.filter((each) => each === type)).toHaveLength(1)
  })
})

/** An answer that stays in its middle. */
const half = { text: 'The first half. And', chunks: 'word', fault: { type: 'stall', after: 3 } } as const

async function killed({ process: child, ended }: Running): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

describe('a server that was killed in the middle of an answer', () => {
  test('has the task and what was said of the answer, goes on when asked, and nothing is there twice', async () => {
    await using one = await stage(half, { ...line('The whole answer.'), repeat: 'any' })
    const first = await webOf(one, ['--port', '0'])
    const request = randomUUID()
    const body = { request, project: one.project, text: 'Explain all of it.' } as const
    const sent = await first.act('send', body)
    const id = sent.session
    await expect.poll(() => typesOf(one, id), limit).toContain('answer.progressed')
    await killed(first.running)
    const second = await webOf(one, ['--port', '0'])
    expect(await second.standing(id)).toMatchObject({ phase: 'cut_off', holder: null, question: null })
    const told = await (await second.get(`/api/sessions/${id}/events?until=live`)).text()
    expect(told).toContain('Explain all of it.')
    expect(told).toMatch(/"answer.progressed"[^\n]*first/)
    // A page that never heard of its success asks the new server.
    expect(await second.act('send', body)).toMatchObject({ status: 200, session: id, repeated: true })
    const wishes = [second.act('continue', { session: id }), second.act('continue', { session: id })]
    for (const { status } of await Promise.all(wishes)) expect(status).toBe(200)
    await untilStands(second, id, phase('resting'))
    const { history, state } = await one.session(id)
    const types = history.map(({ type }) => type)
    expect(types.filter((type) => type === 'input.queued' || type === 'turn.started')).toHaveLength(2)
    expect(state.messages.toArray().filter(({ origin }) => origin === 'input')).toHaveLength(1)
    expect(JSON.stringify(state.messages.toArray()).match(/The whole answer\./g)).toHaveLength(1)
    expect((await one.sessions()).map(({ id: each }) => each)).toEqual([id])
  })

  test('has a question that was open, and an answer to it goes on with the turn', async () => {
    await using one = await stage(write, { ...line('Done.'), repeat: 'any' })
    const first = await webOf(one, ['--port', '0', ...asking])
    const { session: id } = await first.act('send', { project: one.project, text: 'Create a.txt', mode: 'execute' })
    await untilStands(first, id, phase('waiting'))
    await killed(first.running)
    const printed = (await one.runHere(['show', id])).stdout.replaceAll(/\s+/g, ' ')
    expect(printed).toContain('Waits for your answer may write run?')
    expect(printed).toContain(`The process that asked has ended. Go on with your answer: loader -r ${id}`)
    const second = await webOf(one, ['--port', '0', ...asking])
    const { question } = await untilStands(second, id, phase('cut_off'))
    const { questionId, shown, choices } = question ?? { questionId: '', shown: '', choices: [] }
    const [once, lasting] = choices
    if (once?.send === undefined || lasting === undefined) throw new Error('Nothing can be chosen.')
    const about = { session: id, questionId, shown }
    // What was not shown so is not answered.
    const session = { kind: 'permit', permit: 'allow', scope: 'session' } as const
    for (const wrong of [
      { ...about, shown: `${shown}x`, answer: once.send },
      { ...about, answer: { kind: 'words', words: 'yes' } as const },
      { ...about, answer: { ...once.send, words: 'yes, but' } },
      { ...about, answer: once.send, rule: 'Bash' },
      { ...about, answer: session },
      { ...about, answer: session, rule: 'Bash' },
    ])
      expect((await second.act('answer', wrong)).error).toMatchObject({ code: 'changed' })
    expect((await second.act('answer', { ...about, questionId: 'q_other', answer: once.send })).error?.code).toBe(
      'question_closed',
    )
    // A yes is taken once there was time to read the question.
    await expect.poll(() => Date.now() - Date.parse(question?.askedAt ?? ''), limit).toBeGreaterThan(400)
    const request = randomUUID()
    const yes = { ...about, request, answer: session, rule: lasting.rule ?? '' }
    expect(await second.act('answer', yes)).toMatchObject({ status: 200, state: 'recorded' })
    await untilStands(second, id, phase('resting'))
    expect(readFileSync(one.path('a.txt'), 'utf8')).toBe('a\n')
    const { history } = await one.session(id)
    expect(history.filter(({ type }) => type === 'question.answered')).toMatchObject([
      { scope: 'session', via: { id: request, from: 'browser' } },
    ])
    await killed(second.running)
    const third = await webOf(one, ['--port', '0'])
    expect(await third.act('answer', yes)).toMatchObject({ status: 200, repeated: true })
  })
})

describe('a session that another process has', () => {
  test('hears words and a stop, and is not taken from it', async () => {
    await using one = await stage(
      line('I wait.', call('bash', { command: 'until [ -e go ]; do sleep 0.05; done' })),
      { ...line('I heard you.'), repeat: 1 },
      half,
      { ...line('Done.'), repeat: 'any' },
    )
    const running = one.start(['-p', 'Wait for it', '--permission-mode', 'danger-full-access'])
    await expect.poll(async () => (await one.sessions())[0]?.id, limit).toBeDefined()
    const [row] = await one.sessions()
    const id = row?.id ?? ''
    await expect.poll(() => typesOf(one, id), limit).toContain('tool.started')
    const web = await webOf(one, ['--port', '0'])
    const standing = await web.standing(id)
    expect(standing).toMatchObject({ phase: 'running', holder: { where: 'elsewhere', takes: true } })
    const said = await web.act('queue', { session: id, text: 'And hurry.' })
    expect(said).toMatchObject({ status: 200, state: 'recorded' })
    expect((await web.act('send', { session: id, text: 'Another.' })).error).toMatchObject({ code: 'turn_running' })
    for (const act of ['rename', 'accept-preview', 'rewind-preview'] as const) {
      const body = { session: id, title: 'Mine', turn: standing.turnId ?? '', files: false }
      const { session, title, turn, files } = body
      const of = {
        rename: { session, title },
        'accept-preview': { session },
        'rewind-preview': { session, turn, files },
      }
      const { status, error } = await web.act(act, of[act])
      expect({ act, status, code: error?.code }).toEqual({
        act,
        status: 409,
        code: act === 'rename' ? 'busy' : 'turn_running',
      })
    }
    const stop = { session: id, turnId: standing.turnId ?? '' }
    expect(await web.act('stop', stop)).toMatchObject({ status: 200, state: 'recorded' })
    expect((await running.ended).code).not.toBe(0)
    expect((await web.act('stop', stop)).error).toMatchObject({ code: 'nothing_to_do' })
    const { history } = await one.session(id)
    expect(history.filter((event) => 'via' in event).map(({ type }) => type)).toEqual([
      'input.queued',
      'stop.requested',
    ])
  })
})

describe('words that were left when a turn was stopped', () => {
  test('wait until somebody wishes to go on, and are taken then', async () => {
    await using one = await stage(half, { ...line('I heard you.'), repeat: 'any' })
    const web = await webOf(one, ['--port', '0'])
    const { session: id } = await web.act('send', { project: one.project, text: 'Explain all of it.' })
    await expect.poll(() => typesOf(one, id), limit).toContain('answer.progressed')
    expect(await web.act('queue', { session: id, text: 'And hurry.' })).toMatchObject({ status: 200 })
    const { turnId } = await web.standing(id)
    expect(await web.act('stop', { session: id, turnId: turnId ?? '' })).toMatchObject({ status: 200 })
    const isLeft = ({ holder, phase: now }: Standing) => holder === null && now === 'cut_off'
    const left = await untilStands(web, id, isLeft)
    expect(left.queue).toMatchObject([{ text: 'And hurry.' }])
    expect(await web.act('continue', { session: id })).toMatchObject({ status: 200 })
    const { queue } = await untilStands(web, id, phase('resting'))
    expect(queue).toEqual([])
    const { state } = await one.session(id)
    expect(state.lastTurn?.reason).toBe('turn_complete')
  })
})

describe('between two turns', () => {
  test('a session is renamed, copied and taken back, exactly as it was shown', async () => {
    await using one = await stage(write, { ...line('Done.'), repeat: 'any' })
    const web = await webOf(one, ['--port', '0', '--permission-mode', 'allow'])
    const { session: id } = await web.act('send', { project: one.project, text: 'Create a.txt', mode: 'execute' })
    const { holder } = await untilStands(web, id, phase('resting'))
    await untilStands(web, id, (standing) => standing.holder === null)
    expect(holder === null || holder.where === 'here').toBe(true)
    expect(await web.act('rename', { session: id, title: 'Of mine' })).toMatchObject({ status: 200 })
    expect(await web.json(`/api/sessions/${id}`)).toMatchObject({ title: 'Of mine' })
    const request = randomUUID()
    const copies = [await web.act('fork', { request, session: id }), await web.act('fork', { request, session: id })]
    expect(copies).toMatchObject([{ status: 200 }, { session: copies[0]?.session, repeated: true }])
    expect(await one.sessions()).toHaveLength(2)
    const { history } = await one.session(id)
    const turn = history.flatMap((event) => ('turnId' in event ? [String(event.turnId)] : []))[0] ?? ''
    const wish = { session: id, turn, files: true }
    const preview = await web.act('rewind-preview', wish)
    expect(preview).toMatchObject({ status: 200, preview: { turnIds: [turn], files: [{ action: 'remove' }] } })
    one.write('a.txt', 'changed by somebody else\n')
    expect(await web.act('rewind', { ...wish, token: preview.token })).toMatchObject({
      status: 409,
      error: { code: 'changed' },
    })
    expect(readFileSync(one.path('a.txt'), 'utf8')).toBe('changed by somebody else\n')
    one.write('a.txt', 'a\n')
    const again = await web.act('rewind-preview', wish)
    expect(await web.act('rewind', { ...wish, files: false, token: again.token })).toMatchObject({
      error: { code: 'changed' },
    })
    expect(await web.act('rewind', { ...wish, token: again.token })).toMatchObject({
      status: 200,
      result: { done: true },
    })
    expect(() => readFileSync(one.path('a.txt'))).toThrow('ENOENT')
    expect(await web.act('rewind', { ...wish, token: again.token })).toMatchObject({ status: 409 })
    const saved = await web.get(`/api/sessions/${id}/export?format=markdown`)
    expect(saved.headers.get('content-disposition')).toBe(`attachment; filename="${id}.md"`)
    expect(await saved.text()).toContain('Create a.txt')
    expect((await web.act('continue', { session: id })).error).toMatchObject({ code: 'nothing_to_do' })
    expect((await web.act('send', { project: '/etc', text: 'Look.' })).error).toMatchObject({ code: 'not_found' })
  })

  test('a server that only shows refuses, and changes nothing', async () => {
    await using one = await stage(line('Here.'))
    await one.runHere(['-p', 'Hello!'])
    const [row] = await one.sessions()
    const web = await webOf(one, ['--port', '0', '--read-only'])
    expect(await web.json('/api/hello')).toMatchObject({ readOnly: true })
    expect(await web.act('rename', { session: row?.id ?? '', title: 'Other' })).toMatchObject({ status: 403 })
    expect((await one.sessions())[0]?.title).toBe(row?.title)
  })
})
