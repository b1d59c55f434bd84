import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSession, type Session } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commands, main } from '../src/commands/table.ts'
import { parse } from '../src/arguments/parse.ts'
import { freeSession } from '../src/sessions/take-over.ts'
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
  const text = readFileSync(join(directory, name), 'utf8')
  const { process } = JSON.parse(text) as { process: object }
  const own = JSON.stringify(process)
  const other = JSON.stringify({ ...process, pid: 7, pidNamespace: 'pid:[7]' })
  // As long as it was: the writer is in this process, and goes on to write at the end of the file what is durable.
  writeFileSync(join(directory, name), text.replace(own, other.padEnd(own.length)))
}

const refusing: Readonly<Record<string, readonly string[]>> = {
  rename: ['rename', 'Mine'],
  rewind: ['rewind'],
  accept: ['accept'],
  check: ['check'],
  delete: ['delete', '--yes'],
}

describe.each(Object.entries(refusing))('%s, of a session that another process holds,', (_name, words) => {
  test('is refused, and says how to take it over', async () => {
    // With work to be done it is not waited for.
    await session.append({ type: 'input.queued', inputId: 'more', text: 'More' })
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

describe('a session whose turn has ended', () => {
  /** Says who holds the session as ever; what happens at a refused claim is told. */
  class Watched extends FileSessionStore {
    readonly onRefused: () => Promise<void>

    constructor(onRefused: () => Promise<void>) {
      super({ directory: storeIn(workspace.root).directory })
      this.onRefused = onRefused
    }
    override async claim(...wanted: Parameters<FileSessionStore['claim']>): ReturnType<FileSessionStore['claim']> {
      try {
        return await super.claim(...wanted)
      } catch (error) {
        await this.onRefused()
        throw error
      }
    }
  }
  const given = parse(['rename', 'Mine'], commands, main)

  test('is waited for while its writer leaves', async () => {
    let refused = 0
    const store = new Watched(async () => {
      refused += 1
      if (refused === 3) await session.close()
    })
    await freeSession(store, session.id, given, undefined)
    expect(refused).toBe(3)
    expect(await store.holder(session.id)).toBeNull()
  })

  test('is not waited for once a turn is open', async () => {
    let refused = 0
    const store = new Watched(async () => {
      refused += 1
      await session.append({ type: 'input.queued', inputId: 'more', text: 'More' })
    })
    await expect(freeSession(store, session.id, given, undefined)).rejects.toMatchObject({ code: 'session_busy' })
    expect(refused).toBe(1)
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
