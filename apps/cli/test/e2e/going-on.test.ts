import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { describe, expect, test } from 'vitest'
import { jsonLines, type Stage, stage } from './stage/stage.ts'

const stall: WireLine = { text: 'I begin', chunks: 'word', fault: { type: 'stall', after: 1 } }
const asJson = ['--output-format', 'json']

async function result(one: Stage, ...words: readonly string[]) {
  const ended = await one.runHere(['-p', ...words, ...asJson])
  const [line = {}] = jsonLines(ended.stdout)
  return { ...ended, id: String(line['session_id']), text: line['result'], line }
}

/** What the user has said in a request, oldest first. */
function saidIn(one: Stage, request: number): readonly string[] {
  const messages = one.server.requests[request]?.request?.messages ?? []
  return messages.filter(({ role }) => role === 'user').map(({ text }) => text)
}

describe('a run that was killed', () => {
  test('goes on where it was: the call that was done is not done again, and the model is asked for the rest', async () => {
    await using one = await stage(
      line('I write it.', call('write', { file_path: 'hello.txt', content: 'hello\n' })),
      stall,
      line('It is written.'),
    )
    const first = one.start(['-p', 'Create hello.txt', '--check', 'grep -q hello hello.txt'])
    await one.server.untilAsked(2)
    first.process.kill('SIGKILL')
    expect((await first.ended).signal).toBe('SIGKILL')

    const [row] = await one.sessions()
    expect(row).toMatchObject({ status: 'open' })
    const next = await result(one, '-c')
    expect(next).toMatchObject({ code: 0, id: row?.id, line: { num_turns: 1, is_error: false } })
    expect(next.text).toContain('It is written.')
    expect(readFileSync(one.path('hello.txt'), 'utf8')).toBe('hello\n')
    const { history } = await one.session(next.id)
    expect(history.filter(({ type }) => type === 'tool.started')).toHaveLength(1)
    expect(history.filter(({ type }) => type === 'session.claimed')).toHaveLength(2)
    expect(saidIn(one, 2)).toContain('Create hello.txt')
    one.server.assertDone()
  })

  test('ends as interrupted when another task comes, and the model hears of both', async () => {
    await using one = await stage(stall, line('Here I am.'))
    const first = one.start(['-p', 'Tell me about this project'])
    await one.server.untilAsked(1)
    first.process.kill('SIGKILL')
    await first.ended
    const next = await result(one, '-c', 'Hello!')
    expect(next).toMatchObject({ code: 0, text: 'Here I am.' })
    const { history } = await one.session(next.id)
    const ends = history.flatMap((event) =>
      event.type === 'turn.finished' ? [String(Reflect.get(event, 'reason'))] : [],
    )
    expect(ends).toEqual(['interrupted', 'turn_complete'])
  })

  test('says what to do when nothing is open', async () => {
    await using one = await stage(line('Here I am.'))
    await result(one, 'Hello!')
    const next = await result(one, '-c')
    expect(next).toMatchObject({ code: 2, line: { is_error: true } })
    expect(String(next.line['errors'])).toMatch(/no open turn to go on with: give a task/)
  })
})

describe('the session to go on with', () => {
  const answers = { ...line('Here I am.'), repeat: 'any' } as const

  test('is the latest with -c, and the model knows what was said', async () => {
    await using one = await stage(line('Hello, Ann.'), line('You are Ann.'))
    const first = await result(one, 'Hello! I am Ann.')
    const next = await result(one, '-c', 'Thanks! And who am I?')
    expect(next.id).toBe(first.id)
    expect(saidIn(one, 1)[0]).toContain('Hello! I am Ann.')
  })

  test('is the one that -r names: by its id, the beginning of the id, or its title in any case', async () => {
    await using one = await stage(answers)
    const first = await result(one, 'Hello!', '-n', 'The first')
    const second = await result(one, 'Hello!')
    expect(second.id).not.toBe(first.id)
    for (const name of [first.id, first.id.slice(0, -2), 'the FIRST']) {
      expect(await result(one, '-r', name, 'Hello!')).toMatchObject({ code: 0, id: first.id })
    }
    const rows = await one.sessions()
    expect(rows.find(({ id }) => id === first.id)).toMatchObject({ turns: 4, title: 'The first' })
    expect(rows.find(({ id }) => id === second.id)).toMatchObject({ turns: 1 })
  })

  test('is never guessed from words: those that are like a title are answered with the sessions meant, and run nothing', async () => {
    await using one = await stage(answers)
    const parser = await result(one, 'Hello!', '-n', 'Fix the parser')
    await result(one, 'Hello!', '-n', 'Write a poem')
    const before = await one.sessions()
    for (const words of [['Fix the parsr'], ['fix', 'the', 'parser'], ['PARS', 'go', 'on']]) {
      const refused = await result(one, '-r', ...words)
      expect(refused).toMatchObject({ code: 2, line: { is_error: true } })
      const said = String(refused.line['errors'])
      expect(said).toContain(`No session of this project has the id or title ${JSON.stringify(words[0])}. Like it are:`)
      expect(said).toContain(`${parser.id}  Fix the parser`)
      expect(said).not.toContain('poem')
    }
    const unlike = await result(one, '-r', 'Zebra')
    expect(unlike.code).toBe(2)
    expect(String(unlike.line['errors'])).toMatch(/See which there are: loader sessions\n.*loader -c "what to do"/)
    expect(await one.sessions()).toEqual(before)
    expect(one.server.requests).toHaveLength(2)
  })

  test('is not begun by words behind -r where there is none', async () => {
    await using one = await stage(answers)
    expect(await result(one, '-r', 'Hello!')).toMatchObject({ code: 2 })
    expect(await one.sessions()).toEqual([])
  })

  test('is never guessed from an id: one that is not there, or not whole enough, is an error', async () => {
    await using one = await stage(answers)
    await result(one, 'Hello!')
    await result(one, 'Hello!')
    expect(await result(one, '-r', 'ses_0000000000', 'Hello!')).toMatchObject({ code: 1 })
    const several = await result(one, '-r', 'ses_1', 'Hello!')
    expect(several.code).toBe(2)
    expect(several.stderr + String(several.line['errors'])).toMatch(/several sessions: ses_\w+, ses_\w+/)
  })

  test('is a copy with --fork, and the first one stays as it was', async () => {
    await using one = await stage(answers)
    const first = await result(one, 'Hello!')
    const before = await one.session(first.id)
    const copy = await result(one, '-c', '--fork', '-n', 'A copy', 'Hello!')
    expect(copy.id).not.toBe(first.id)
    expect((await one.session(first.id)).history).toEqual(before.history)
    const { state } = await one.session(copy.id)
    expect(state).toMatchObject({ title: 'A copy', forkedFrom: { id: first.id }, usage: { turns: 1 } })
    expect(saidIn(one, 1)).toHaveLength(2)
  })

  test('is taken with --take-over from a run that holds it, and says so', async () => {
    await using one = await stage(stall, line('Here I am.'))
    const first = one.start(['-p', 'Hello!'])
    await one.server.untilAsked(1)
    expect(await result(one, '-c', 'Hello!')).toMatchObject({ code: 5 })
    const { code, stderr } = await result(one, '-c', '--take-over', '-n', 'Taken', 'Hello!')
    expect(code).toBe(0)
    expect(stderr).toMatch(/taken over from .*process \d+ on .*, which is still running/)
    expect(await one.sessions()).toMatchObject([{ title: 'Taken', turns: 2 }])
    first.process.kill('SIGINT')
    // It learns of it as soon as it has something to write.
    expect((await first.ended).code).toBe(5)
  })

  test('gets another title with -n', async () => {
    await using one = await stage(answers)
    await result(one, 'Hello!', '-n', 'Old')
    const next = await result(one, '-c', '-n', 'New', 'Hello!')
    expect((await one.session(next.id)).state.title).toBe('New')
  })

  test('is left as it is, and not copied, when there is nothing to do in it', async () => {
    await using one = await stage(answers)
    const { id } = await result(one, 'Hello!', '-n', 'Old')
    for (const words of [
      ['--fork'],
      ['-n', 'New'],
      ['--mode', 'plan'],
      ['--check', 'true'],
      ['Hello!', '-n', ' '],
      ['Hello!', '--check', ''],
      ['Hello!', '-o', ''],
    ]) {
      expect(await result(one, '-c', ...words)).toMatchObject({ code: 2 })
    }
    expect(await one.sessions()).toMatchObject([{ id, title: 'Old' }])
    const { history } = await one.session(id)
    expect(history.filter(({ type }) => type === 'session.claimed')).toHaveLength(1)
  })

  test('is not guessed when several have the title that stands behind -r', async () => {
    await using one = await stage(answers)
    await result(one, 'Hello!', '-n', 'Twice')
    await result(one, 'Hello!', '-n', 'Twice')
    const several = await result(one, '-r', 'twice', 'Hello!')
    expect(several.code).toBe(2)
    expect(String(several.line['errors'])).toMatch(
      /"twice" can mean several sessions: ses_\w+, ses_\w+\. Give the whole id/,
    )
    expect(one.server.requests).toHaveLength(2)
  })

  test('leaves nothing behind with --ephemeral', async () => {
    await using one = await stage(answers)
    expect(await result(one, '--ephemeral', 'Hello!')).toMatchObject({ code: 0, line: { loader: { resume: null } } })
    expect([existsSync(one.path('.loader')), existsSync(one.state)]).toEqual([false, false])
  })

  test('belongs to the project, also from a folder in it', async () => {
    await using one = await stage(answers)
    const first = await result(one, 'Hello!')
    one.write('src/deep/file.txt', '')
    const ended = await one.runHere(['-p', '-c', 'Hello!', ...asJson], { folder: one.path('src', 'deep') })
    expect(jsonLines(ended.stdout)).toMatchObject([{ session_id: first.id }])
    const elsewhere = await one.runHere(['-p', '-c', 'Hello!', '-C', one.project, ...asJson], { folder: '/' })
    expect(jsonLines(elsewhere.stdout)).toMatchObject([{ session_id: first.id }])
    expect(existsSync(one.path('src', 'deep', '.loader'))).toBe(false)
  })
})

describe('what a session goes on with', () => {
  const answers = { ...line('Here I am.'), repeat: 'any' } as const
  const bare = { environment: { LOADER_MODEL: '' } }
  const first = ['-m', 'ollama/scripted', '--permission-mode', 'prompt', '--max-turns', '9']

  /** A run on a machine where no model was ever chosen, and the policy that it leaves. */
  async function run(one: Stage, ...words: readonly string[]) {
    const ended = await one.runHere(['-p', 'Hello!', ...asJson, ...words], bare)
    const [said = {}] = jsonLines(ended.stdout)
    const id = String(said['session_id'])
    const { policy } = (await one.session(id)).state
    return { ...ended, id, policy }
  }

  test('is its own model, permission mode and limits, with -c, -r and --fork', async () => {
    await using one = await stage(answers)
    const { id, policy } = await run(one, ...first)
    expect(policy).toMatchObject({ permission: { mode: 'prompt' }, limits: { maxIterations: 9 } })
    for (const words of [['-c'], ['-r', id], ['-c', '--fork']]) {
      expect(await run(one, ...words)).toMatchObject({ code: 0, policy })
    }
    expect(one.server.requests.map(({ request }) => request?.model)).toEqual(Array(4).fill('scripted'))
  })

  test('goes before settings, and flags go before it, also for later runs', async () => {
    await using one = await stage(answers)
    const { policy } = await run(one, ...first)
    one.write(
      '../config/settings.json',
      '{ "model": "ollama/other", "permissionMode": "allow", "limits": { "maxIterations": 3 } }',
    )
    const environment = { LOADER_MODEL: 'ollama/third' }
    expect((await one.runHere(['-p', '-c', 'Hello!'], { environment })).code).toBe(0)
    expect(await run(one, '-c')).toMatchObject({ policy })
    const others = ['-m', 'ollama/fourth', '--permission-mode', 'read-only', '--config', 'limits.maxIterations=5']
    const changed = {
      model: { model: 'ollama/fourth' },
      permission: { mode: 'read-only' },
      limits: { maxIterations: 5 },
    }
    expect(await run(one, '-c', ...others)).toMatchObject({ policy: changed })
    expect(await run(one, '-c')).toMatchObject({ policy: changed })
    expect(await run(one)).toMatchObject({
      policy: { model: { model: 'ollama/other' }, permission: { mode: 'allow' }, limits: { maxIterations: 3 } },
    })
  })

  test("ignores the settings of a session that came with someone else's project", async () => {
    await using one = await stage(answers)
    await run(one, '-m', 'ollama/scripted', '--permission-mode', 'allow', '--config', 'sessions=project')
    const ended = await run(one, '-c', '--config', 'model=ollama/scripted')
    expect(ended).toMatchObject({ code: 0, policy: { permission: { mode: 'workspace-write' } } })
    expect(ended.stderr).toMatch(/permissionMode.* of session ses_\w+ are ignored: this project is not trusted/)
  })

  test('is named when it cannot be had any more', async () => {
    await using one = await stage(answers)
    one.write(
      '../config/settings.json',
      JSON.stringify({ providers: { mine: { api: 'ollama', baseUrl: one.server.url } } }),
    )
    const { id } = await run(one, '-m', 'mine/scripted')
    rmSync(join(one.config, 'settings.json'))
    const ended = await result(one, '-c', 'Hello!')
    expect(ended).toMatchObject({ code: 2, id })
    expect(String(ended.line['errors'])).toMatch(/was worked on with mine\/scripted\. .*-m <provider\/id>/s)
  })
})

test('several sessions run at once in one project', async () => {
  await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
  const runs = await Promise.all([1, 2, 3, 4].map(() => result(one, 'Hello!')))
  expect(runs.map(({ code, text }) => [code, text])).toEqual(runs.map(() => [0, 'Here I am.']))
  expect(new Set(runs.map(({ id }) => id)).size).toBe(4)
  const rows = await one.sessions()
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(runs.map(({ id }) => id)))
})

describe('what goes with a task', () => {
  test('--output-last-message has the answer, and nothing once a run comes to none', async () => {
    await using one = await stage(line('Here I am.'))
    await result(one, 'Hello!', '-o', 'answer.txt')
    expect(readFileSync(one.path('answer.txt'), 'utf8')).toBe('Here I am.')
    expect(await result(one, 'Hello!', '-m', 'nowhere/x', '-o', 'answer.txt')).toMatchObject({ code: 2 })
    expect(readFileSync(one.path('answer.txt'), 'utf8')).toBe('')
  })

  test('--mode is the mode of the turn', async () => {
    await using one = await stage(line('It is a small project.'))
    const { id } = await result(one, '--mode', 'explore', 'What is this project about?')
    const { history } = await one.session(id)
    expect(history.find(({ type }) => type === 'input.queued')).toMatchObject({ mode: 'explore' })
  })

  test('--config and the files of settings decide, the strongest last', async () => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    one.write(
      '../config/settings.json',
      '{ "limits": { "maxIterations": 7, "maxAttempts": 2 }, "compaction": "model" }',
    )
    const { id } = await result(one, 'Hello!', '--config', 'limits.maxIterations=9')
    const { state } = await one.session(id)
    expect(state.policy).toMatchObject({ limits: { maxIterations: 9, maxAttempts: 2 }, compaction: 'model' })
  })

  test('--allowed-tools and --disallowed-tools are rules of this run', async () => {
    await using one = await stage(
      line(call('write', { file_path: 'a.txt', content: 'a\n' }), call('read', { file_path: 'a.txt' })),
      line('Done.'),
    )
    const flags = [
      '--permission-mode',
      'prompt',
      '--allowedTools',
      'Write(a.txt),Bash(npm test:*)',
      '--disallowed-tools=Read',
    ]
    const { line: last } = await result(one, 'Write a.txt', '--check', 'grep -q a a.txt', ...flags)
    expect(last).toMatchObject({
      permission_denials: [{ tool_name: 'read' }],
      loader: { outcomes: { ok: 1, denied: 1 } },
    })
    expect(readFileSync(one.path('a.txt'), 'utf8')).toBe('a\n')
  })
})

describe('how much the model thinks', () => {
  /** What the last request says of it. */
  const asked = (one: Stage) => one.server.requests.at(-1)?.body

  test('is what the session had, until the command line says otherwise', async () => {
    await using one = await stage(line('One.'), line('Two.'), line('Three.'))
    await result(one, '--thinking', 'high', 'Tell me about this project')
    expect(asked(one)).toMatchObject({ think: true })
    await result(one, '-c', 'Tell me more')
    expect(asked(one)).toMatchObject({ think: true })
    const last = await result(one, '-c', '--thinking', 'off', 'And more')
    expect(asked(one)).toMatchObject({ think: false })
    const { history } = await one.session(last.id)
    const levels = history.flatMap((event) => (event.type === 'model.asked' ? [Reflect.get(event, 'thinking')] : []))
    expect([...new Set(levels)]).toEqual(['high', 'off'])
    one.server.assertDone()
  })

  test('is nothing that a request speaks of as long as nobody asks', async () => {
    await using one = await stage(line('One.'))
    await result(one, 'Tell me about this project')
    expect(asked(one)).not.toHaveProperty('think')
  })

  test('has four levels', async () => {
    await using one = await stage()
    const { code, stderr } = await one.runHere(['-p', '--thinking', 'deeply', 'Hello'])
    expect(code).toBe(2)
    expect(stderr).toContain('off, low, medium, high')
  })
})
