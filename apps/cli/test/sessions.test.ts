import { Session } from '@loader/session-core'
import { fixedEnvironment, temporaryWorkspace } from '@loader/test-harness'
import { findProject, keepProject } from '@loader/workspace'
import { describe, expect, test } from 'vitest'
import { SessionsOutput } from '@loader/readings'
import { widthOf } from '../src/screen/width.ts'
import { damage } from './written/damage.ts'
import { loader } from './written/fake-console.ts'
import { stateFolderOf, storeIn } from './written/store-in.ts'
import { workedSession } from './written/worked-session.ts'
import { exchange, openSession, writtenSession } from './written/written-session.ts'

describe('the list of sessions', () => {
  test('has title, time, turns, tokens, verdict and size of each session', async () => {
    await using workspace = await temporaryWorkspace()
    const { id } = await workedSession(workspace, { title: 'First' })
    const { out, code } = await loader(['sessions'], { folder: workspace.root, columns: 120 })
    expect(code).toBe(0)
    const [head, row] = out.split('\n')
    expect(head?.split(/\s+/)).toEqual(['TITLE', 'WHEN', 'TURNS', 'TOKENS', 'VERDICT', 'SIZE', 'ID'])
    expect(row).toMatch(new RegExp(String.raw`^First +just now +1 +2\.6k +verified +\d+ kB +${id}$`))
  })

  test.each([60, 80, 120])('keeps its lines within %i columns, whatever the titles', async (columns) => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'), '日本語の長いタイトル'.repeat(10))
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'), 'long '.repeat(60))
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'), '👩‍👩‍👧 family')
    const { out } = await loader(['sessions'], { folder: workspace.root, columns })
    for (const line of out.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns)
  })

  test('shows control characters of a title instead of sending them to the terminal', async () => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'), 'a\u001b[2Jb\u009b31mc\u0007d\u202ee')
    const { out } = await loader(['sessions'], { folder: workspace.root, columns: 120 })
    expect(out).toContain(String.raw`a\x1b[2Jb\x9b31mc\x07d\u202ee`)
    const json = await loader(['sessions', '--json'], { folder: workspace.root })
    // eslint-disable-next-line no-control-regex
    expect(json.out).not.toMatch(/[\u001b\u007f-\u009f\u202e]/)
    expect(SessionsOutput.parse(JSON.parse(json.out)).sessions[0]?.title).toBe('a\u001b[2Jb\u009b31mc\u0007d\u202ee')
  })

  test('says what to do where there is none', async () => {
    await using workspace = await temporaryWorkspace()
    expect((await loader(['sessions'], { folder: workspace.root })).out).toContain('Begin one: loader')
  })

  test('shows as many as were asked for, and whether there are more', async () => {
    await using workspace = await temporaryWorkspace()
    for (const title of ['One', 'Two', 'Three']) await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'), title)
    const { out } = await loader(['sessions', '--limit', '1'], { folder: workspace.root, columns: 120 })
    expect(out.match(/ses_/g)).toHaveLength(1)
    expect(out).toContain('... and more: --limit 2')
    expect((await loader(['sessions', '--limit', '3'], { folder: workspace.root })).out).not.toContain('... and more')
    const wrong = await loader(['sessions', '--limit', 'none'], { folder: workspace.root })
    expect(wrong).toMatchObject({ code: 2, out: '' })
  })

  test('shows whether a turn of an open session is under way, also when the saved row is older', async () => {
    await using workspace = await temporaryWorkspace()
    const session = await openSession(workspace.root)
    const seen = async () => {
      const json = await loader(['sessions', '--json'], { folder: workspace.root })
      const text = await loader(['sessions'], { folder: workspace.root, columns: 120 })
      const [row] = SessionsOutput.parse(JSON.parse(json.out)).sessions
      const [, line = ''] = text.out.split('\n')
      const words = /running|cut off|open|in a turn|verified/.exec(line)?.[0] ?? null
      return { id: row?.id, status: row?.status, turns: row?.turns, activity: row?.activity, words }
    }
    const { id } = session
    const turn = exchange(1, 'Hi', 'Hello')
    expect(await seen()).toEqual({ id, status: 'resting', turns: 0, activity: 'open', words: 'open' })
    await session.append(turn.slice(0, 2))
    expect(await seen()).toEqual({ id, status: 'open', turns: 0, activity: 'running', words: 'running' })
    await session.append(turn.slice(2))
    expect(await seen()).toEqual({ id, status: 'resting', turns: 1, activity: 'open', words: 'open' })
    await session.close()
    expect(await seen()).toMatchObject({ id, status: 'resting', turns: 1, activity: 'resting', words: null })
  })

  test('calls a turn cut off that its process left open', async () => {
    await using workspace = await temporaryWorkspace()
    const session = await openSession(workspace.root)
    await session.append(exchange(1, 'Hi', 'Hello').slice(0, 2))
    await session.close()
    const { out } = await loader(['sessions', '--json'], { folder: workspace.root })
    expect(JSON.parse(out)).toMatchObject({ sessions: [{ status: 'open', activity: 'cut_off' }] })
    const text = await loader(['sessions'], { folder: workspace.root, columns: 120 })
    expect(text.out).toContain('cut off')
  })

  test('has damaged sessions as damaged, and shows the others', async () => {
    await using workspace = await temporaryWorkspace()
    const bad = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'), 'Bad')
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'), 'Good')
    damage(workspace.root, bad, 'session.opened')
    const { out, code } = await loader(['sessions'], { folder: workspace.root, columns: 120 })
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`damaged.*${bad}`))
    expect(out).toContain('Good')
  })
})

describe('a search', () => {
  test('looks into every message, also into those that the model no longer sees', async () => {
    await using workspace = await temporaryWorkspace()
    const early = exchange(1, 'Where is the Zebra?', 'In the zoo.')
    await writtenSession(workspace.root, [
      ...early,
      {
        type: 'context.compacted',
        messageId: 'sum_1',
        text: 'They talked about animals.',
        method: 'local',
        firstKept: null,
        removed: 2,
        tokensBefore: 10,
        tokensAfter: 5,
      },
      ...exchange(2, 'And now?', 'Now nothing.'),
    ])
    await writtenSession(workspace.root, exchange(1, 'Something else', 'Yes'))
    const { out } = await loader(['sessions', '--search', 'zebra', '--json'], { folder: workspace.root })
    const { sessions } = SessionsOutput.parse(JSON.parse(out))
    expect(sessions).toHaveLength(1)
    expect(sessions[0]?.matches).toEqual([{ seq: 5, role: 'user', standing: 'folded', excerpt: 'Where is the Zebra?' }])
  })

  test('looks into long texts, which lie beside the events', async () => {
    await using workspace = await temporaryWorkspace()
    await using session = await openSession(workspace.root)
    const text = await session.storeText(`${'x'.repeat(100_000)} needle ${'y'.repeat(100)}`)
    const [queued, ...rest] = exchange(1, '', 'Read it.')
    if (queued?.type !== 'input.queued') throw new Error('An exchange begins with its input.')
    await session.append([{ ...queued, text }, ...rest])
    await session.save()
    const { out } = await loader(['sessions', '--search', 'needle'], { folder: workspace.root })
    expect(out).toContain('user at 5: …')
    expect(out).toContain('needle')
  })

  test.each([
    ['ends in i', 'It ENDS IN \u0130.'],
    ['KELVIN', 'At 300 \u212aelvin.'],
    ['istanbul', 'From ISTANBUL.'],
    ['say "a.b" (c)', 'They say "A.B" (C) now.'],
    ['back\\slash', 'A Back\\Slash.'],
    ['größe', 'Die GRÖSSE und die Größe.'],
    ['naïve', 'NAÏVE'],
    ['a\tb', 'a\tb'],
  ])('finds %j in any case in %j', async (wanted, said) => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, said, 'Yes'))
    await writtenSession(workspace.root, exchange(1, 'Something else', 'Yes'))
    const { out } = await loader(['sessions', '--search', wanted, '--json'], { folder: workspace.root })
    expect(SessionsOutput.parse(JSON.parse(out)).sessions.map((session) => session.id)).toEqual([id])
  })

  test('that finds nothing says so', async () => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const { out } = await loader(['sessions', '--search', 'absent'], { folder: workspace.root })
    expect(out).toBe('No message contains this text.\n')
  })
})

describe('sessions of all projects', () => {
  /** A session in a project that its user has worked in. */
  async function work(root: string, state: string, title: string): Promise<void> {
    const options = { variables: { LOADER_STATE: state } }
    keepProject(findProject(root, options), options)
    const environment = { ...fixedEnvironment(), newId: (prefix: string) => `${prefix}_${title}` }
    await using session = await Session.open(storeIn(root, state), { environment, title, project: { root } })
    await session.append(exchange(1, 'Hi', 'Hello'))
  }

  test('are those of the projects that the user has worked in, each under its own', async () => {
    await using here = await temporaryWorkspace()
    await using there = await temporaryWorkspace()
    const state = stateFolderOf(here.root)
    await work(here.root, state, 'Here')
    await work(there.root, state, 'There')
    const { out } = await loader(['sessions', '--all', '--json'], { folder: here.root })
    const { sessions } = SessionsOutput.parse(JSON.parse(out))
    expect(
      sessions.map(({ title, root }) => [title, root]).toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
    ).toEqual([
      ['Here', here.root],
      ['There', there.root],
    ])
    const text = await loader(['sessions', '--all'], { folder: here.root })
    expect(text.out.indexOf(there.root)).toBeLessThan(text.out.indexOf('There'))
    expect(text.out).not.toContain('(gone)')
  })

  test('have those of projects that are gone, and say so', async () => {
    await using here = await temporaryWorkspace()
    const gone = await temporaryWorkspace()
    await work(gone.root, stateFolderOf(here.root), 'Old')
    await gone.dispose()
    const { out } = await loader(['sessions', '--all', '--json'], { folder: here.root })
    expect(SessionsOutput.parse(JSON.parse(out)).sessions).toMatchObject([
      { title: 'Old', root: gone.root, gone: true },
    ])
    expect((await loader(['sessions', '--all'], { folder: here.root })).out).toContain(`${gone.root} (gone)`)
    expect((await loader(['sessions'], { folder: here.root })).out).not.toContain('Old')
  })
})
