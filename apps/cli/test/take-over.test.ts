import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSession, type Session } from '@loader/session-core'
import { temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loader } from './written/fake-console.ts'
import { storeIn } from './written/store-in.ts'
import { exchange, openSession } from './written/written-session.ts'

let workspace: TemporaryWorkspace
let session: Session
beforeEach(async () => {
  workspace = await temporaryWorkspace()
  session = await openSession(workspace.root, 'Held')
  await session.append(exchange(1, 'Hi', 'Hello'))
  await session.save()
})
afterEach(async () => {
  await session.close().catch(() => undefined)
  await workspace.dispose()
})

const run = (...words: string[]) => loader(words, { folder: workspace.root })

/** The lock as a process in a container wrote it that is gone. */
function leaveToContainer(): void {
  const directory = storeIn(workspace.root).directory
  const name = readdirSync(directory).find((each) => each.startsWith(`${session.id}.lock.`)) as string
  const lock = JSON.parse(readFileSync(join(directory, name), 'utf8')) as { process: object }
  const process = { ...lock.process, pid: 7, pidNamespace: 'pid:[7]' }
  writeFileSync(join(directory, name), JSON.stringify({ ...lock, process }))
}

const commands: Readonly<Record<string, readonly string[]>> = {
  rename: ['rename', 'Mine'],
  rewind: ['rewind'],
  accept: ['accept'],
  check: ['check'],
  delete: ['delete', '--yes'],
}

describe.each(Object.entries(commands))('%s, of a session that another process holds,', (_name, words) => {
  test('is refused, and says how to take it over', async () => {
    const { code, err } = await run(...words, session.id)
    expect(code).toBe(5)
    expect(err).toMatch(/is held by .*process \d+/)
    expect(err).toContain('To take it over: the same command with --take-over.')
  })

  test('with --take-over says from whom it took it, who then can write no more', async () => {
    const { code, err } = await run(...words, session.id, '--take-over')
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('which is still running') })
    expect(err).toMatch(/taken over from .*process \d+/)
    const late = session.append({ type: 'session.titled', title: 'Late', by: 'user' })
    await expect(late).rejects.toMatchObject({ code: 'writer_fenced' })
  })

  test('with --take-over says where it cannot know whether the other still runs', async () => {
    leaveToContainer()
    expect((await run(...words, session.id)).err).toContain('cannot be told from here')
    const { code, err } = await run(...words, session.id, '--take-over')
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('cannot be told from here') })
  })
})

describe('--take-over', () => {
  test('of a session without a writer prints no note', async () => {
    await session.close()
    expect(await run('rename', 'Mine', session.id, '--take-over')).toMatchObject({ code: 0, err: '' })
    expect((await readSession(storeIn(workspace.root), session.id)).state.title).toBe('Mine')
  })

  test.each([[['Hi']], [['-c', '--fork', 'Hi']]])('makes no sense with %j', async (words) => {
    const { code, err } = await run('-p', '--take-over', ...words)
    expect(code).toBe(2)
    expect(err).toContain('--take-over')
  })

  test('is in the help and in the completion of each shell', async () => {
    for (const words of [['--help'], ['rename', '--help'], ['delete', '--help']]) {
      expect((await run(...words)).out).toContain('--take-over')
    }
    // fish lists options without their dashes.
    for (const shell of ['bash', 'zsh', 'fish']) expect((await run('completion', shell)).out).toContain('take-over')
  })
})
