import { readFileSync } from 'node:fs'
import { call, line } from '@loader/test-harness'
import type { Standing } from '@loader/web/server'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { jsonLines, type Stage, stage } from './stage/stage.ts'
import { type Web, webOf } from './stage/web-of.ts'

const limit = { timeout: 30_000 }

/** How a session stands, as soon as it waits or rests. */
async function untilIt(web: Web, phase: 'waiting' | 'resting', id: string): Promise<Standing> {
  let standing: Standing | undefined
  await expect.poll(async () => (standing = await web.standing(id)).phase, limit).toBe(phase)
  return standing as Standing
}

/** Of each call, who decided about it and how it ended. */
async function callsOf(one: Stage, id: string) {
  const { history } = await one.session(id)
  const of = <Field extends string>(type: string, field: Field) =>
    history.flatMap((event) => (event.type === type && field in event ? [String(Object(event)[field])] : []))
  return { by: of('permission.decided', 'by'), outcomes: of('tool.finished', 'outcome') }
}

const asking = ['--permission-mode', 'prompt'] as const
const making = (name: string) => line(`I make ${name}.`, call('bash', { command: `echo ${name} > made.txt` }))
const done = line('Done.')
const rule = 'Bash(echo one > made.txt)@work'

test.runIf(fromCi)(
  'a yes for always that a page gives is a rule of the project, for every session, until it is out of the file',
  async () => {
    const lines = [making('one'), making('one'), done, making('one'), done, making('one'), making('two'), done]
    await using one = await stage(...lines, { ...making('one'), repeat: 'any' })
    const web = await webOf(one, ['--port', '0', ...asking])
    const begin = async () =>
      (await web.act('send', { project: one.project, text: 'Make it', mode: 'execute' })).session

    const id = await begin()
    const always = async () =>
      (await untilIt(web, 'waiting', id)).question?.choices.find(({ letter }) => letter === 'a')
    expect(await always()).toMatchObject({ rule, label: expect.stringContaining('once you trust the project') })
    await one.runHere(['permissions', 'trust'])
    await expect.poll(async () => (await always())?.label, limit).toBe(`yes, ${rule} always in this project`)
    const { question } = await untilIt(web, 'waiting', id)
    const { questionId = '', shown = '', askedAt = '' } = question ?? {}
    await expect.poll(() => Date.now() - Date.parse(askedAt), limit).toBeGreaterThan(400)
    const answer = { kind: 'permit', permit: 'allow', scope: 'always' } as const
    expect(await web.act('answer', { session: id, questionId, shown, answer, rule })).toMatchObject({ status: 200 })
    await untilIt(web, 'resting', id)
    expect(await callsOf(one, id)).toEqual({ by: ['mode', 'user', 'rule'], outcomes: ['ok', 'ok'] })
    const file = '.loader/permission-rules.json'
    expect(JSON.parse(readFileSync(one.path(file), 'utf8'))).toEqual({ allow: [rule] })

    const other = await begin()
    await untilIt(web, 'resting', other)
    expect(await callsOf(one, other)).toEqual({ by: ['rule'], outcomes: ['ok'] })

    // Without the page: the same rule, and no other call.
    const { stdout } = await one.run(['-p', 'Make it', ...asking, '--output-format', 'json'])
    const [{ session_id: third } = {}] = jsonLines(stdout)
    const { by, outcomes } = await callsOf(one, String(third))
    expect([by.slice(0, 2), outcomes.slice(0, 2)]).toEqual([
      ['rule', 'mode'],
      ['ok', 'denied'],
    ])

    one.write(file, '{}')
    const last = await begin()
    expect((await untilIt(web, 'waiting', last)).question).toMatchObject({ kind: 'permit', tool: 'bash' })
  },
)

test.runIf(fromCi)(
  'what a page accepts, as it was shown, is accepted in the log, the page and every command',
  async () => {
    const files = { 'sum.txt': 'add\n', Makefile: 'test:\n\tgrep -q add sum.txt\n' }
    const calls = Object.entries(files).map(([file_path, content]) => call('write', { file_path, content }))
    await using one = await stage(line('I rename it.', ...calls), { ...line('It is called add now.'), repeat: 'any' })
    one.write('sum.txt', 'sum\n')
    one.write('Makefile', 'test:\n\tgrep -q sum sum.txt\n')
    const web = await webOf(one, ['--port', '0', '--permission-mode', 'allow'])
    const text = 'Rename sum to add everywhere.'
    const { session: id } = await web.act('send', { project: one.project, text, mode: 'execute' })
    await untilIt(web, 'resting', id)
    const check = async () => {
      const { code, stdout } = await one.runHere(['check', '--json'])
      return { code, word: (JSON.parse(stdout) as { judgement: { word: string } }).judgement.word }
    }
    expect(await check()).toEqual({ code: 3, word: 'held' })
    const preview = await web.act('accept-preview', { session: id })
    expect(preview).toMatchObject({ status: 200, preview: { files: ['Makefile'], judgement: { word: 'rests_on' } } })
    expect(preview.preview['patch']).toContain('+\tgrep -q add sum.txt')
    const accept = () => web.act('accept', { session: id, token: preview.token })
    // What was shown is not what is there now.
    one.write('Makefile', 'test:\n\ttrue\n')
    expect(await accept()).toMatchObject({ status: 409, error: { code: 'changed' } })
    expect((await one.session(id)).history.map(({ type }) => type)).not.toContain('checks.accepted')
    one.write('Makefile', files.Makefile)

    const judgement = { word: 'accepted', by: 'the user', files: { names: ['Makefile'] } }
    expect(await accept()).toMatchObject({ status: 200, state: 'recorded', result: { done: true, judgement } })
    const { state, history } = await one.session(id)
    const accepted = history.filter(({ type }) => type === 'checks.accepted')
    expect(accepted).toMatchObject([{ by: 'the user', files: ['Makefile'], judgement }])
    expect(state.lastTurn).toMatchObject({ verdict: 'waived', judgement })
    expect(await web.json(`/api/sessions/${id}`)).toMatchObject({ verdict: 'waived' })
    expect(await check()).toEqual({ code: 0, word: 'verified' })
    expect(await accept()).toMatchObject({ status: 409, error: { code: 'nothing_to_do' } })
  },
)
