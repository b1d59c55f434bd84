import { once } from 'node:events'
import { createServer } from 'node:net'
import { readFileSync, writeFileSync } from 'node:fs'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import type { ListedSession } from '@loader/readings'
import { describe, expect, test } from 'vitest'
import { stage } from './stage/stage.ts'
import { visitorOf, webOf } from './stage/web-of.ts'

interface Line {
  readonly seq: number
  readonly type: string
}

/** The events in blocks of server-sent events, and the names of the others. */
function read(block: string): { readonly name: string; readonly event?: Line; readonly id?: string } {
  const [, name = 'message'] = /^event: (.*)$/m.exec(block) ?? []
  const [, data = ''] = /^data: (.*)$/m.exec(block) ?? []
  const [, id] = /^id: (.*)$/m.exec(block) ?? []
  return { name, ...(name === 'message' && { event: JSON.parse(data) as Line }), ...(id !== undefined && { id }) }
}

describe('loader web', () => {
  test('follows a session while a run writes it: every event once, in order, as --output-format events prints it', async () => {
    await using one = await stage(
      line('Here I am.'),
      line('Creating it.', call('write', { path: 'a.txt', content: 'a' })),
      line('Done.'),
    )
    await one.runHere(['-p', 'Hello!'])
    const [row] = await one.sessions()
    const id = row?.id ?? ''
    const web = await webOf(one, ['--port', '0'])
    for (const [path, part] of Object.entries({ '/': './page.js', '/page.js': 'loader-data', '/page.css': '{' })) {
      expect(await (await fetch(`${web.origin}${path}`)).text()).toContain(part)
    }
    const stop = new AbortController()
    const events: Line[] = []
    const names: string[] = []
    const following = (async () => {
      for await (const block of web.stream(`/api/sessions/${id}/events?after=0`, stop.signal)) {
        const { name, event, id: place } = read(block)
        names.push(name)
        if (event === undefined) continue
        events.push(event)
        expect(place).toBe(String(event.seq))
      }
    })()
    const { stdout } = await one.runBuilt([
      '-p',
      '-r',
      id,
      'Create a.txt',
      '--output-format',
      'events',
      '--permission-mode',
      'allow',
    ])
    const printed = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Line)
    const { history } = await one.session(id)
    expect(await web.json(`/api/sessions/${id}`)).toMatchObject({ seq: history.length })
    await expect.poll(() => events.length).toBe(history.length)
    stop.abort()
    await following.catch(() => undefined)
    expect(events).toEqual(history)
    expect(names[0]).toBe('opened')
    for (const event of printed.filter(({ seq, type }) => seq <= events.length && !type.startsWith('run.'))) {
      expect(events[event.seq - 1]).toEqual(event)
    }
    const again = await web.get(`/api/sessions/${id}/events?after=${history.length - 2}&until=live`)
    const blocks = (await again.text()).trim().split('\n\n').map(read)
    expect(blocks.flatMap(({ event }) => event?.seq ?? [])).toEqual([history.length - 1, history.length])
  })

  test('lists what `sessions --json` lists, tells of changes, and ends with Ctrl-C while pages follow', async () => {
    await using one = await stage({ ...line('Here I am.'), repeat: 'any' })
    await one.runHere(['-p', 'First words'])
    await one.runHere(['-p', 'Other words'])
    const web = await webOf(one, ['--port', '0'])
    const { sessions } = JSON.parse((await one.runHere(['sessions', '--json'])).stdout) as { sessions: unknown[] }
    const list = await web.json<{ sessions: ListedSession[]; total: number; projects: string[] }>('/api/sessions')
    expect(list).toMatchObject({ sessions, total: 2, projects: [one.project] })
    const page = await web.json<{ sessions: ListedSession[]; cursor: string }>('/api/sessions?limit=1')
    expect(page.sessions).toEqual(sessions.slice(0, 1))
    const next = await web.json<{ sessions: ListedSession[] }>(
      `/api/sessions?limit=1&cursor=${encodeURIComponent(page.cursor)}`,
    )
    expect(next.sessions).toEqual(sessions.slice(1))
    const found = await web.json<{ sessions: ListedSession[] }>('/api/sessions?search=first%20words')
    expect(found.sessions).toMatchObject([{ id: next.sessions[0]?.id, matches: [{ role: 'user' }, {}].slice(0, 1) }])
    expect(await web.json('/api/sessions?text=other')).toMatchObject({ sessions: page.sessions, total: 1 })
    expect((await web.get('/api/sessions?limit=x')).status).toBe(400)
    const stream = web.stream('/api/sessions/stream', new AbortController().signal)
    expect((await stream.next()).value).toContain('event: rows')
    await one.runHere(['rename', 'Renamed', page.sessions[0]?.id ?? ''])
    let block = ''
    do block = String((await stream.next()).value)
    while (!block.includes('Renamed'))
    expect(block).toContain('event: changed')
    web.running.process.kill('SIGINT')
    const { code, stderr } = await web.running.ended
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'loader: Whoever has this address can act as you. Ctrl-C ends it.\n',
    })
  })

  test('a link that is passed on shows one session, without its secrets', async () => {
    const key = 'AKIAIOSFODNN7EXAMPLE'
    await using one = await stage(line(`I use ${key}.`, call('bash', { command: `echo ${key}` })), line('Done.'))
    await one.runHere([
      '-p',
      `My key is ${key}. ${'A word. '.repeat(20_000)}`,
      '--permission-mode',
      'danger-full-access',
    ])
    const [row] = await one.sessions()
    const id = row?.id ?? ''
    const web = await webOf(one, ['--port', '0'])
    const { fragment } = await web.json<{ fragment: string }>(`/api/sessions/${id}/link`)
    const guest = await visitorOf(`${web.origin}/${fragment}`)
    const own = await (await web.get(`/api/sessions/${id}/events?until=live`)).text()
    const shown = await (await guest.get(`/api/sessions/${id}/events?until=live`)).text()
    expect(own).toContain(key)
    expect(shown).not.toContain(key)
    expect(shown).toMatch(/\[secret:aws:\w+\]/)
    expect(shown.match(/^id: /gm)).toEqual(own.match(/^id: /gm))
    expect(JSON.stringify(await guest.json(`/api/sessions/${id}`))).not.toContain(key)
    const [, blob = ''] = /"blob":"([^"]+)"/.exec(own) ?? []
    expect(await (await web.get(`/api/sessions/${id}/blobs/${blob}`)).text()).toContain(key)
    const text = await (await guest.get(`/api/sessions/${id}/blobs/${blob}`)).text()
    expect(text).toContain('[secret:aws:')
    expect(text).not.toContain(key)
  })

  test.runIf(fromCi)('says what was changed in files by a turn, a call and the session', async () => {
    await using one = await stage(
      line('', call('write', { path: 'a.txt', content: 'a\n' })),
      line('Done.'),
      line('', call('write', { path: 'b.txt', content: 'b\n' })),
      line('Done.'),
    )
    await one.runHere(['-p', 'Create a.txt', '--permission-mode', 'allow'])
    await one.runHere(['-p', '-c', 'Create b.txt', '--permission-mode', 'allow'])
    const [row] = await one.sessions()
    const { history } = await one.session(row?.id ?? '')
    const turns = history.flatMap((event) =>
      'turnId' in event && event.type === 'turn.started' ? [String(event.turnId)] : [],
    )
    const calls = history.flatMap((event) =>
      'callId' in event && event.type === 'tool.started' ? [String(event.callId)] : [],
    )
    const web = await webOf(one, ['--port', '0'])
    const filesOf = async (query: string) => {
      const { files, patch } = await web.json<{ files: { path: string }[]; patch: string }>(
        `/api/sessions/${row?.id}/diff${query}`,
      )
      for (const { path } of files) expect(patch).toContain(path)
      return files.map(({ path }) => path)
    }
    expect(await filesOf('')).toEqual(['a.txt', 'b.txt'])
    expect(await filesOf(`?turn=${turns[0]}`)).toEqual(['a.txt'])
    expect(await filesOf(`?call=${calls[1]}`)).toEqual(['b.txt'])
    expect((await web.get(`/api/sessions/${row?.id}/diff?turn=none`)).status).toBe(400)
  })

  test('takes another port if its own is taken, and says so if one was asked for', async () => {
    await using one = await stage()
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const refused = await one.runBuilt(['web', '--port', String(port)])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toBe(`loader: Port ${port} is taken by another program. Any that is free: --port 0\n`)
    taken.close()
    const [first, second] = [await webOf(one), await webOf(one)]
    expect(first.origin).not.toBe(second.origin)
    for (const { running } of [first, second]) running.process.kill('SIGTERM')
    expect([(await first.running.ended).code, (await second.running.ended).code]).toEqual([0, 0])
  })

  test('refuses what it cannot do, and prints nothing of a token that it was given', async () => {
    await using one = await stage()
    const failed = async (words: readonly string[], environment = {}) => {
      const { code, stderr, stdout } = await one.runHere(['web', ...words], { environment })
      return { code, text: stdout + stderr }
    }
    expect(await failed(['--host', '0.0.0.0'])).toMatchObject({
      code: 2,
      text: expect.stringContaining('needs a token of your own'),
    })
    expect(await failed(['--port', '70000'])).toMatchObject({ code: 2 })
    expect(await failed(['--url', 'loader.example.org'])).toMatchObject({ code: 2 })
    const short = await failed(['--host', '0.0.0.0'], { LOADER_WEB_TOKEN: 'my-short-secret' })
    expect(short).toMatchObject({ code: 2 })
    expect(short.text).not.toContain('my-short-secret')
    writeFileSync(one.path('token'), 'a-token-of-my-own-0123456789\n')
    const web = await webOf(one, ['--port', '0', '--token-file', 'token', '--open'], {
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
    })
    expect(web.address).toContain(readFileSync(one.path('token'), 'utf8').trim())
    web.running.process.kill('SIGINT')
    expect((await web.running.ended).stderr).toContain('There is no screen here to open it on.')
  })
})
