import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readSession } from '@loader/session-core'
import { storeIn } from './written/store-in.ts'
import { temporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { ForkOutput } from '../src/schemas/fork.ts'
import { RewindOutput } from '../src/schemas/rewind.ts'
import { loader } from './written/fake-console.ts'
import { workedSession } from './written/worked-session.ts'
import { exchange, openSession, writtenSession } from './written/written-session.ts'

describe('renaming', () => {
  test('gives the session a title, by which it is found', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Other'))
    expect(await loader(['rename', 'My session', id], { folder: workspace.root })).toMatchObject({ code: 0, err: '' })
    expect((await loader(['show', 'my session'], { folder: workspace.root })).out).toContain('Hello')
  })

  test.each([[['rename']], [['rename', '  ']]])('needs a title: %j', async (words) => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    expect(await loader(words, { folder: workspace.root })).toMatchObject({ code: 2, out: '' })
  })

  test('a session that another process writes is refused as busy', async () => {
    await using workspace = await temporaryWorkspace()
    await using session = await openSession(workspace.root)
    const { code, err } = await loader(['rename', 'Mine', session.id], { folder: workspace.root })
    expect(code).toBe(5)
    expect(err).toContain('is held by')
  })
})

describe('forking', () => {
  test('into a copy without a title that says something is refused, and copies nothing', async () => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    expect(await loader(['fork', '-n', ' '], { folder: workspace.root })).toMatchObject({ code: 2, out: '' })
    expect((await storeIn(workspace.root).list()).rows).toHaveLength(1)
  })

  test('copies up to an event, also while the session is being written, and leaves it as it is', async () => {
    await using workspace = await temporaryWorkspace()
    await using session = await openSession(workspace.root, 'Original')
    await session.append([...exchange(1, 'One', 'Uno'), ...exchange(2, 'Two', 'Due')])
    await session.save()
    const { out } = await loader(['fork', '--at', '7', '--name', 'Copy', '--json'], { folder: workspace.root })
    const { id, from, title } = ForkOutput.parse(JSON.parse(out))
    expect({ from, title }).toEqual({ from: { id: session.id, seq: 7 }, title: 'Copy' })
    const copy = await loader(['show', id], { folder: workspace.root })
    expect(copy.out).toContain('Uno')
    expect(copy.out).not.toContain('Two')
    expect((await loader(['show', 'original'], { folder: workspace.root })).out).toContain('Two')
  })

  test('at an event that is not there is refused', async () => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, exchange(1, 'One', 'Uno'))
    expect(await loader(['fork', '--at', '99'], { folder: workspace.root })).toMatchObject({ code: 1, out: '' })
  })
})

describe('deleting', () => {
  test.each([
    ['', 'Nothing was deleted.', 0],
    ['true', '', 2],
  ])('at a terminal with CI=%j: somebody is asked, or nobody is there', async (set, said, code) => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const ran = await loader(['delete', id], { folder: workspace.root, typed: 'n\n', environment: { CI: set } })
    expect([ran.out.trim(), ran.code]).toEqual([said, code])
  })

  test('without anybody to ask, and without --yes, does nothing and says so', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const { code, err } = await loader(['delete', id], { folder: workspace.root })
    expect(code).toBe(2)
    expect(err).toContain('--yes')
    expect((await loader(['show', id], { folder: workspace.root })).code).toBe(0)
  })

  test.each([
    ['y\n', '/sessions/_trash', 1],
    ['yes\n', '/sessions/_trash', 1],
    ['n\n', 'Nothing was deleted.', 0],
    ['\n', 'Nothing was deleted.', 0],
    ['', 'Nothing was deleted.', 0],
  ])('asks at a terminal: %j', async (typed, said, code) => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'), 'Precious')
    const { out, err } = await loader(['delete', id], { folder: workspace.root, typed })
    expect(err).toContain(`Move to the trash: "Precious" (${id})? [y/N]`)
    expect(out).toContain(said)
    expect((await loader(['show', id], { folder: workspace.root })).code).toBe(code)
  })

  test('moves to the trash, or erases', async () => {
    await using workspace = await temporaryWorkspace()
    const kept = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const erased = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    await loader(['delete', '--yes', kept], { folder: workspace.root })
    await loader(['delete', '--yes', '--erase', erased], { folder: workspace.root })
    const trash = readdirSync(join(storeIn(workspace.root).directory, '_trash'))
    expect(trash.some((path) => path.includes(kept))).toBe(true)
    expect(trash.some((path) => path.includes(erased))).toBe(false)
    expect(JSON.parse((await loader(['sessions', '--json'], { folder: workspace.root })).out).sessions).toEqual([])
  })
})

describe('rewinding', () => {
  test('shows what would happen and changes nothing, until it is told to do it', async () => {
    await using workspace = await temporaryWorkspace()
    const { id } = await workedSession(workspace)
    const preview = await loader(['rewind', '--json'], { folder: workspace.root })
    expect(RewindOutput.parse(JSON.parse(preview.out))).toMatchObject({
      session: id,
      done: false,
      input: 'Create hello.txt in the workspace root.',
      files: [{ path: workspace.path('hello.txt'), outcome: 'restored' }],
    })
    expect(existsSync(workspace.path('hello.txt'))).toBe(true)
    expect((await loader(['rewind'], { folder: workspace.root })).out).toContain('would be removed: hello.txt')

    const done = await loader(['rewind', '--yes'], { folder: workspace.root })
    expect(done.out).toContain('  removed: hello.txt')
    expect(existsSync(workspace.path('hello.txt'))).toBe(false)
    const { state } = await readSession(storeIn(workspace.root), id)
    expect(state.messages.length).toBe(0)
  })

  test('leaves a file alone that something else has changed since', async () => {
    await using workspace = await temporaryWorkspace()
    await workedSession(workspace)
    await workspace.write('hello.txt', 'changed by hand\n')
    const { out } = await loader(['rewind', '--yes'], { folder: workspace.root })
    expect(out).toContain('stays: hello.txt')
    expect(await workspace.read('hello.txt')).toBe('changed by hand\n')
  })

  test.runIf(fromCi)('can leave all files alone', async () => {
    await using workspace = await temporaryWorkspace()
    await workedSession(workspace)
    const { out } = await loader(['rewind', '--yes', '--conversation-only'], { folder: workspace.root })
    expect(out).toContain('No file is touched.')
    expect(await workspace.read('hello.txt')).toBe('hello\n')
  })

  test('to a turn that is not there names those that are', async () => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const { code, err } = await loader(['rewind', '--to', 'turn_9'], { folder: workspace.root })
    expect(code).toBe(2)
    expect(err).toContain('turn_1')
  })
})
