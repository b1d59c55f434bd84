import { cpSync } from 'node:fs'
import { basename } from 'node:path'
import { type Neighbours, readSource, sourceOfText } from '@loader/foreign-sessions'
import { createHash } from 'node:crypto'
import { pairingFault, readSession, toModelMessages, transcript, turns } from '@loader/session-core'
import { storeIn } from './written/store-in.ts'
import { historyFaults, messageFaults, temporaryWorkspace } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { ImportOutput } from '../src/schemas/import.ts'
import { loader } from './written/fake-console.ts'
import { foreignFiles, foreignPath, foreignText, imported, saidIn, sourceOf } from './written/foreign.ts'

/** The script that every program was run on. */
const script = (write: string, run: string, read: string) => [
  'user: Create hello.txt with one line.',
  'thought: The file is not there yet, so I write it.',
  'model: I write hello.txt.',
  `call: ${write} ok`,
  'model: hello.txt is written.',
  'user: Run check.sh and read hello.txt.',
  'thought: Two things to do at once.',
  'model: I run the check and read the file.',
  `call: ${run} failed`,
  `call: ${read} ok`,
  'model: check.sh does not exist; hello.txt holds one line.',
  'user: Thanks. Sum it up in one sentence.',
  'model: I wrote hello.txt, and the check could not run.',
]

const tried = sample(foreignFiles, { quick: 8 })

describe('three turns', () => {
  test.each([
    ['claude', 'claude-code/three-turns.jsonl', script('Write', 'Bash', 'Read')],
    ['codex', 'codex/three-turns.jsonl', script('apply_patch', 'exec_command', 'exec_command')],
    ['codex', 'codex/three-turns-shell-only.jsonl', script('exec_command', 'exec_command', 'exec_command')],
    [
      'gemini',
      'gemini-cli/three-turns/session-2026-11-18T07-31-2c9115b9.jsonl',
      script('write_file', 'run_shell_command', 'read_file'),
    ],
    ['pi', 'pi/three-turns.jsonl', script('write', 'bash', 'read')],
  ] as const)('of %s are what was said and done', (kind, name, expected) => {
    const session = imported(kind, name)
    expect(saidIn(session)).toEqual(expected)
    // No line of a file of Gemini CLI says that a turn has ended.
    const end = kind === 'gemini' ? 'not_known' : 'turn_complete'
    expect(turns(session.events).map(({ reason }) => reason)).toEqual([end, end, end])
  })

  test.each([
    ['claude', 'claude-code/three-turns.jsonl', { inputTokens: 590, outputTokens: 110, cacheReadTokens: 40 }],
    [
      'codex',
      'codex/three-turns.jsonl',
      { inputTokens: 550, outputTokens: 110, cacheReadTokens: 40, reasoningTokens: 10 },
    ],
    [
      'gemini',
      'gemini-cli/three-turns/session-2026-11-18T07-31-2c9115b9.jsonl',
      { inputTokens: 550, outputTokens: 120, cacheReadTokens: 40 },
    ],
    ['pi', 'pi/three-turns.jsonl', { inputTokens: 550, outputTokens: 110, cacheReadTokens: 40 }],
  ] as const)('of %s have what was used, counted once', (kind, name, expected) => {
    expect(imported(kind, name).state.usage).toMatchObject({ ...expected, requests: 5, toolCalls: 3, turns: 3 })
  })

  test.each([
    [
      'claude',
      'claude-code/three-turns.jsonl',
      'anthropic/claude-sonnet-4-5',
      '2.1.326',
      'af1164a3-4d79-417a-9987-74f876e16f81',
    ],
    ['codex', 'codex/three-turns.jsonl', 'bench/gpt-5.5', '0.169.0', '01a1ed97-2bcd-71a2-93a9-386579044720'],
    ['pi', 'pi/three-turns.jsonl', 'bench/scripted', '3', '01a1ed91-d266-70c5-92d2-54cfa4c7a3b8'],
  ] as const)('of %s say which program, model and project they come from', (kind, name, model, version, id) => {
    const { events, state } = imported(kind, name)
    expect(state.project?.root).toBe('/workspace')
    expect(events.find(({ type }) => type === 'model.answered')).toMatchObject({ model })
    const last = events.at(-1)
    expect(last).toMatchObject({ type: 'session.imported', source: { id, version, bytes: foreignText(name).length } })
    expect(state.metadata).toMatchObject({ imported: { id } })
  })

  test.each(tried)('%s %s have the times of the source, and the import at its end', (kind, name) => {
    const { events } = imported(kind, name)
    const told = events.filter(
      ({ type }) => type === 'input.queued' || type === 'model.answered' || type === 'turn.finished',
    )
    for (const { at } of told) expect(at).toMatch(/^2026-11-1(?:8T07:3|9T0[12]:)/)
    expect(events.at(-1)).toMatchObject({ type: 'session.imported', at: '2026-01-01T00:00:00.000Z' })
  })
})

describe('every imported session', () => {
  test.each(tried)('%s %s is the same each time but for ids and times', (kind, name) => {
    const plain = (id: string) => JSON.stringify(imported(kind, name, id).events).replaceAll(id, 'SESSION')
    expect(plain('ses_one')).toBe(plain('ses_other'))
  })

  test.each(tried)('%s %s is a history that providers accept', (kind, name) => {
    const { state } = imported(kind, name)
    expect(pairingFault(state.messages)).toBeUndefined()
    expect(historyFaults(toModelMessages(state.messages, 'openai'), 'openai')).toEqual(
      emptyIfNothingWasSaid(state.messages.length),
    )
    for (const dialect of ['openai', 'anthropic', 'ollama'] as const) {
      // A summary may be followed by the answer that was kept; the first message is the user's all the same.
      expect(messageFaults(state.messages, dialect)).toEqual(emptyIfNothingWasSaid(state.messages.length))
    }
  })

  test.each(tried)('%s %s rests, and claims nothing to be verified', (kind, name) => {
    const { state, events } = imported(kind, name)
    expect(state.turn).toBeNull()
    expect(state.policy).toBeNull()
    expect(state.goal).toBeNull()
    expect(state.lastTurn?.verdict).toBeUndefined()
    for (const event of events) if (event.type === 'call.examined') expect(event).toMatchObject({ effect: 'unknown' })
  })

  test.each(tried)('%s %s holds none of what the program told its model beside the conversation', (kind, name) => {
    const text = JSON.stringify(imported(kind, name).events)
    for (const secret of [
      '<environment_context>',
      '<session_context>',
      'system-reminder',
      'base_instructions',
      'systemPrompt',
      'bypassPermissions',
    ]) {
      expect(text).not.toContain(secret)
    }
  })
})

function emptyIfNothingWasSaid(messages: number): unknown {
  return messages > 0 ? [] : expect.anything()
}

describe('a compacted session', () => {
  test.each([
    ['claude', 'claude-code/compacted.jsonl', ['model: hello.txt is written.']],
    ['codex', 'codex/compacted.jsonl', ['user: Create hello.txt with one line.']],
  ] as const)(
    'of %s has the older part in the history, and the summary and what was kept in the window',
    (kind, name, kept) => {
      const session = imported(kind, name)
      const said = saidIn(session)
      expect(said).toContain('model: I write hello.txt.')
      expect(said).toContain('summary: [vendor text removed] The user asked for hello.txt; it was written.')
      const live = transcript(session.events).filter(({ standing }) => standing === 'live')
      expect(live.map(({ message }) => message.origin)).toContain('summary')
      expect(session.state.messages.at(0)?.origin).toBe('summary')
      const before = saidIn({ events: session.events }).filter((line) => kept.some((each) => each === line))
      expect(before).toEqual(kept)
      expect(said.at(-2)).toBe('user: Thanks. Sum it up in one sentence.')
    },
  )

  test('of Codex does not have the summary as something that was said', () => {
    const said = saidIn(imported('codex', 'codex/compacted.jsonl'))
    expect(said.filter((line) => line === 'model: The user asked for hello.txt; it was written.')).toHaveLength(1)
  })

  test('of pi keeps everything from the entry that it names', () => {
    const message = (id: string, parentId: string | null, role: string, text: string) =>
      JSON.stringify({
        type: 'message',
        id,
        parentId,
        timestamp: '2026-01-02T03:04:05.000Z',
        message: { role, content: [{ type: 'text', text }], stopReason: 'stop' },
      })
    const file = sourceOf(
      [
        JSON.stringify({ type: 'session', version: 3, id: 'abc', timestamp: '2026-01-02T03:04:05.000Z', cwd: '/w' }),
        message('1', null, 'user', 'First'),
        message('2', '1', 'assistant', 'One'),
        message('3', '2', 'user', 'Second'),
        message('4', '3', 'assistant', 'Two'),
        JSON.stringify({
          type: 'compaction',
          id: '5',
          parentId: '4',
          summary: 'They counted.',
          firstKeptEntryId: '3',
          tokensBefore: 900,
        }),
        JSON.stringify({ type: 'session_info', id: '6', parentId: '5', name: 'Counting' }),
      ].join('\n'),
    )
    const { state, events } = imported('pi', file)
    expect(state.messages.map(({ content }) => content[0])).toMatchObject([
      { text: 'They counted.' },
      { text: 'Second' },
      { text: 'Two' },
    ])
    expect(state.title).toBe('Counting')
    expect(events.find(({ type }) => type === 'context.compacted')).toMatchObject({ removed: 2, tokensBefore: 900 })
  })
})

describe('a fork', () => {
  test('of Claude Code and of pi has the whole conversation of its branch', () => {
    const expected = [
      'model: hello.txt is written.',
      'user: Thanks. Sum it up in one sentence.',
      'model: Forked answer.',
    ]
    expect(saidIn(imported('claude', 'claude-code/fork/child.jsonl')).slice(-3)).toEqual(expected)
    const child = imported('pi', 'pi/fork/2026-11-18T07-34-53-027Z_01a1ed94-7963-7715-908e-2934c2ba9320.jsonl')
    expect(saidIn(child).slice(-3)).toEqual(expected)
    expect(child.events.at(-1)).toMatchObject({
      source: { forkedFrom: '2026-11-18T07-34-52-448Z_01a1ed94-771f-72d7-8b0d-9d300cc43a2d.jsonl' },
    })
  })

  test('of Codex goes on from the lines of its parent up to the point of the fork', () => {
    const parent = foreignText('codex/three-turns.jsonl')
    const id = '01a1ed97-2bcd-71a2-93a9-386579044720'
    const name = `rollout-${id}.jsonl`
    const beside: Neighbours = {
      open: (path) => (path === name ? sourceOfText(path, parent, beside) : undefined),
      list: () => [name, 'child.jsonl'],
    }
    const said = saidIn(imported('codex', sourceOfText('/x/child.jsonl', codexFork(id, 23), beside)))
    expect(said).toEqual([...script('apply_patch', '', '').slice(0, 5), 'user: And now?', 'model: Now this.'])
  })

  test('of Codex finds its parent in the folder of another day, and each record cites its own file', () => {
    const [day, other] = [
      'codex/fork/sessions/2026/11/19',
      'rollout-2026-11-19T01-59-00-01a1f187-54fb-7fb1-9e7d-f4c3c220724a',
    ]
    const parent = 'rollout-2026-11-19T01-59-00-01a1f187-530e-7f03-bffd-b1144da85eb9.jsonl'
    const session = imported('codex', `${day}/${other}.jsonl`)
    expect(saidIn(session)).toEqual([
      'user: Make one.txt and show it.',
      'model: I look.',
      'call: exec_command ok',
      'model: It says one.',
      'user: And now?',
      'model: Forked answer.',
    ])
    expect(session.losses.join(' ')).not.toContain('missing')
    const places = session.events.flatMap((event) =>
      event.type === 'model.answered' || event.type === 'input.queued' || event.type === 'tool.finished'
        ? [(event as { readonly imported?: unknown }).imported]
        : [],
    )
    expect(places).toMatchObject([
      { file: parent, line: 8 },
      { file: parent, line: 11 },
      { file: parent, line: 15 },
      { file: parent, line: 18 },
      { line: 6 },
      { line: 9 },
    ])
    for (const place of places.slice(4)) expect(place).not.toHaveProperty('file')
  })

  test('of Codex finds a parent that was put away, and one of which it was put away itself', async () => {
    await using workspace = await temporaryWorkspace()
    const folder = 'codex/fork/sessions/2026/11'
    const [child, parent] = [
      '19/rollout-2026-11-19T01-59-00-01a1f187-54fb-7fb1-9e7d-f4c3c220724a.jsonl',
      '18/rollout-2026-11-19T01-59-00-01a1f187-530e-7f03-bffd-b1144da85eb9.jsonl',
    ]
    const put = (name: string, path: string) => cpSync(foreignPath(`${folder}/${name}`), workspace.path(path))
    const said = (path: string) => saidIn(imported('codex', readSource(workspace.path(path))))
    put(child, 'one/sessions/2026/11/19/child.jsonl')
    put(parent, `one/archived_sessions/${basename(parent)}`)
    expect(said('one/sessions/2026/11/19/child.jsonl')).toHaveLength(6)
    put(child, 'two/archived_sessions/child.jsonl')
    put(parent, `two/sessions/2025/12/31/${basename(parent)}`)
    expect(said('two/archived_sessions/child.jsonl')).toHaveLength(6)
  })

  test('of Codex without its parent has its own part, and says what is missing', () => {
    const { losses, events } = imported('codex', sourceOf(codexFork('parent-id', 5)))
    expect(saidIn({ events })).toEqual(['user: And now?', 'model: Now this.'])
    expect(losses).toContain('What came before the fork is missing: the file of session parent-id was not found.')
  })
})

function codexFork(parent: string, end: number): string {
  const line = (ordinal: number, type: string, payload: object) =>
    JSON.stringify({ timestamp: '2026-11-18T07:37:51.000Z', ordinal, type, payload })
  const message = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  })
  return [
    line(end, 'session_meta', {
      id: 'child',
      cwd: '/workspace',
      forked_from_id: parent,
      history_base: { thread_id: parent, end_ordinal_exclusive: end },
    }),
    line(end + 1, 'response_item', message('user', 'And now?')),
    line(end + 2, 'response_item', message('assistant', 'Now this.')),
  ].join('\n')
}

describe('what went wrong in the source', () => {
  test.each([
    ['claude', 'claude-code/api-error.jsonl', 'API Error: 400 The script says no.'],
    ['codex', 'codex/api-error.jsonl', 'The script says no.'],
    ['pi', 'pi/api-error.jsonl', 'The script says no.'],
  ] as const)('of %s: a request that failed is a failed request, and no answer', (kind, name, said) => {
    const { state, events } = imported(kind, name)
    expect(state.lastTurn?.reason).toBe('model_failed')
    expect(events.find(({ type }) => type === 'model.failed')).toMatchObject({
      error: { message: expect.stringContaining(said) },
    })
    expect(saidIn({ events })).toEqual(['user: Create hello.txt with one line.'])
  })

  test('of Gemini: a prompt that the program has deleted is kept as taken back', () => {
    const { events, state } = imported('gemini', 'gemini-cli/api-error.jsonl')
    expect(transcript(events)).toMatchObject([
      { standing: 'rewound', message: { content: [{ text: 'Create hello.txt with one line.' }] } },
    ])
    expect(state.messages.length).toBe(0)
  })

  test('of Claude Code: a refused call was denied, and one that was cut off was not', () => {
    expect(saidIn(imported('claude', 'claude-code/denied.jsonl')).filter((line) => line.startsWith('call'))).toEqual([
      'call: Write denied',
      'call: Bash denied',
      'call: Read failed',
    ])
    expect(saidIn(imported('claude', 'claude-code/interrupted-tool.jsonl')).at(-1)).toBe('call: Bash interrupted')
  })

  test.each([
    // Only this one says that a request was open.
    ['claude', 'claude-code/interrupted-waiting.jsonl', 'interrupted', [{ reason: 'cancelled' }]],
    ['codex', 'codex/interrupted-waiting.jsonl', 'interrupted', []],
    ['pi', 'pi/interrupted.jsonl', 'not_known', []],
  ] as const)(
    'of %s: a turn that was stopped while it waited ended as its file says, and no request is made up',
    (kind, name, reason, requests) => {
      const { state, events } = imported(kind, name)
      expect(state.lastTurn?.reason).toBe(reason)
      expect(events.filter(({ type }) => type === 'model.interrupted')).toMatchObject(requests)
      expect(saidIn({ events }).at(-1)).toMatch(/^call: \w+ ok$/)
    },
  )

  test('of Claude Code: an answer that was cut off is kept as far as it had come', () => {
    const record = (uuid: string, parentUuid: string | null, more: object) =>
      JSON.stringify({
        uuid,
        parentUuid,
        sessionId: 's',
        timestamp: '2026-01-02T03:04:05.000Z',
        isSidechain: false,
        ...more,
      })
    const answer = (id: string, text: string, more = {}) => ({
      type: 'assistant',
      message: { id, role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
      ...more,
    })
    const said = saidIn(
      imported(
        'claude',
        sourceOf(
          [
            record('1', null, { type: 'user', message: { role: 'user', content: 'Tell me.' } }),
            record('2', '1', answer('a', 'Half a sen', { isAbortedMidStream: true })),
            record('3', '2', {
              type: 'user',
              message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
            }),
            record('4', '3', { type: 'user', message: { role: 'user', content: 'Go on.' } }),
            record('5', '4', answer('b', 'Sentence.')),
          ].join('\n'),
        ),
      ),
    )
    expect(said).toEqual(['user: Tell me.', 'cut off: Half a sen', 'user: Go on.', 'model: Sentence.'])
  })

  test('of Claude Code: one that was asked on the side leaves its last words in the result, and what it says later joins', () => {
    const said = imported('claude', 'claude-code/subagent/4eb790e3-796b-44e9-8593-08a3aa477444.jsonl')
    expect(JSON.stringify(said.events)).toContain('[its last words: The helper says: a heading.]')
    expect(saidIn(said)).toEqual([
      'user: Ask a helper.',
      'model: I ask a helper.',
      'call: Agent ok',
      'model: README.md is a heading.',
      'program: <task-notification>[vendor text removed] The helper says: a heading.</task-notification>',
      'model: Again.',
    ])
  })

  test('a call without a result has an unknown outcome', () => {
    const lines = foreignText('pi/interrupted.jsonl').trimEnd().split('\n').slice(0, -1)
    expect(saidIn(imported('pi', sourceOf(lines.join('\n')))).at(-1)).toBe('call: write unknown')
  })
})

describe('the command', () => {
  test.each(tried)('finds out by itself what %s %s is, and stores it', async (_kind, name) => {
    await using workspace = await temporaryWorkspace()
    const before = digest(name)
    const { code, out } = await loader(['import', foreignPath(name), '--json'], { folder: workspace.root })
    expect(code).toBe(0)
    const { id, events } = ImportOutput.parse(JSON.parse(out))
    const store = storeIn(workspace.root)
    const { history } = await readSession(store, id)
    expect(history).toHaveLength(events)
    expect(await store.verify(id)).toMatchObject({ intact: true, findings: [] })
    expect(digest(name)).toBe(before)
  })

  test('says what is lost on standard error and in the session', async () => {
    await using workspace = await temporaryWorkspace()
    const { err, out } = await loader(['import', foreignPath('claude-code/three-turns.jsonl')], {
      folder: workspace.root,
    })
    expect(err).toContain('5 x api-request, ')
    expect(out).toMatch(
      /^Imported "Create hello\.txt with one line\." from claude-code as ses_\w+: 3 turns, 11 messages\.$/m,
    )
    const [, id = ''] = /as (ses_\w+):/.exec(out) ?? []
    const { history } = await readSession(storeIn(workspace.root), id)
    expect(history.at(-1)).toMatchObject({
      type: 'session.imported',
      losses: expect.arrayContaining([expect.stringContaining('api-request')]),
    })
  })

  test('tells of an earlier import of the same conversation', async () => {
    await using workspace = await temporaryWorkspace()
    const words = ['import', foreignPath('pi/three-turns.jsonl'), '--json']
    const first = ImportOutput.parse(JSON.parse((await loader(words, { folder: workspace.root })).out))
    const second = await loader([...words, '--name', 'Again'], { folder: workspace.root })
    expect(ImportOutput.parse(JSON.parse(second.out))).toMatchObject({ title: 'Again', before: [first.id] })
    expect(second.err).toContain(`imported before, as ${first.id}`)
  })

  test('takes a folder with one session in it, and passes over strays', async () => {
    await using workspace = await temporaryWorkspace()
    const { out } = await loader(['import', foreignPath('gemini-cli/three-turns')], { folder: workspace.root })
    expect(out).toContain('3 turns')
    const stray = foreignPath('gemini-cli/three-turns/session-2026-11-18T07-32-2c9115b9.jsonl')
    expect((await loader(['import', stray], { folder: workspace.root })).out).toContain('3 turns')
    const several = await loader(['import', foreignPath('codex')], { folder: workspace.root })
    expect(several).toMatchObject({ code: 2, out: '' })
    expect(several.err).toContain('api-error.jsonl')
  })

  test('finds the project of a session of Gemini CLI above it, if its digest says the same', async () => {
    await using workspace = await temporaryWorkspace()
    cpSync(foreignPath('gemini-cli/failed-tools.jsonl'), workspace.path('tmp', 'project', 'chats', 'session.jsonl'))
    await workspace.write('tmp/project/.project_root', '/workspace\n')
    const roots = async () => {
      const { out } = await loader(['import', workspace.path('tmp', 'project', 'chats', 'session.jsonl'), '--json'], {
        folder: workspace.root,
      })
      const { id } = ImportOutput.parse(JSON.parse(out))
      return (await readSession(storeIn(workspace.root), id)).state.project?.root
    }
    expect(await roots()).toBe('/workspace')
    await workspace.write('tmp/project/.project_root', '/somewhere/else\n')
    expect(await roots()).toBe(workspace.root)
  })

  test.each([
    ['nothing.jsonl', '', 'nothing that can be imported'],
    ['words.txt', 'These are words.\n', 'nothing that can be imported'],
    ['list.json', '[1, 2, 3]', 'nothing that can be imported'],
  ])('refuses %s, and makes no session', async (name, text, said) => {
    await using workspace = await temporaryWorkspace()
    await workspace.write(name, text)
    const { code, err, out } = await loader(['import', name], { folder: workspace.root })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(said)
    expect(Object.keys(await workspace.files({ ignore: [] }))).toEqual([name])
  })
})

function digest(name: string): string {
  return createHash('sha256').update(foreignText(name)).digest('hex')
}
