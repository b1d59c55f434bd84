import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EventOf, type EventType, type History, isSessionEvent, readSession } from '@loader/session-core'
import { PostgresSessionStore } from '@loader/session-postgres'
import { call, line } from '@loader/test-harness'
import { anyInstallation, Server } from '@loader/test-postgres'
import { sample } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainGit } from '../written/plain-git.ts'
import { type Running, type Stage, stage } from './stage/stage.ts'

let server: Server
beforeAll(async () => {
  server = await Server.start(anyInstallation())
})
afterAll(() => server.dispose())

function eventsOf<Type extends EventType>(history: History, type: Type): EventOf<Type>[] {
  return history.filter((event): event is EventOf<Type> => isSessionEvent(event) && event.type === type)
}

/** A folder with a state folder of its own, as on another machine. */
function otherMachine(one: Stage, name: string, environment: Readonly<Record<string, string>>) {
  const home = join(one.project, '..', name)
  mkdirSync(join(home, 'project'), { recursive: true })
  const folder = join(home, 'project')
  return { folder, environment: { ...environment, HOME: home, LOADER_STATE: join(home, 'state') } }
}

async function killedIn(running: Running, folder: string): Promise<void> {
  await expect.poll(() => existsSync(join(folder, 'begun')), { timeout: 60_000 }).toBe(true)
  running.process.kill('SIGKILL')
  expect(await running.ended).toMatchObject({ signal: 'SIGKILL' })
}

// A worker takes a session of a project with a remote the same way.
describe.each(sample(['without a remote', 'with a remote'], { quick: 1, ci: 1 }))(
  'a session in a database, of a project %s',
  (kind) => {
    test(
      'goes from the terminal to two other machines and back, killed in a command on each way',
      { timeout: 240_000 },
      async () => {
        const hang = { command: 'echo begun > begun; sleep 600' }
        await using one = await stage(
          line('I begin.', call('write', { file_path: 'new.txt', content: 'new\n' }), call('bash', hang)),
          line('I go on.', call('edit', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' })),
          line('And wait.', call('bash', hang)),
          line('I look.', call('read', { file_path: 'sum.js' })),
          {
            ...line('The sum is right now.', call('finish', { how: 'done', summary: 'The sum is right.' })),
            repeat: 1,
          },
          { ...line('It adds.'), repeat: 'any' },
        )
        one.write('sum.js', 'console.log(((a, b) => a - b)(1, 2))\n')
        one.write('check.sh', 'node sum.js | grep -qx 3\n')
        one.write('.gitignore', 'dist/\n')
        one.write('dist/out.js', 'built\n')
        plainGit(one.project, ['init', '-q', '-b', 'main'])
        plainGit(one.project, ['add', '-A'])
        plainGit(one.project, ['commit', '-q', '-m', 'first'])
        if (kind === 'with a remote') {
          const remote = join(one.project, '..', 'remote.git')
          plainGit(one.project, ['clone', '-q', '--bare', one.project, remote])
          plainGit(one.project, ['remote', 'add', 'origin', remote])
          plainGit(one.project, ['fetch', '-q', 'origin'])
        }
        const tenant = randomUUID()
        await using store = new PostgresSessionStore(server.address, { tenant })
        const environment = { LOADER_STORE: `${server.address}?tenant=${tenant}`, LOADER_WALLS: '' }
        const [second, third] = [otherMachine(one, 'two', environment), otherMachine(one, 'three', environment)]
        const open = ['--permission-mode', 'workspace-write']

        const task = ['-p', 'Mend the sum.', '--check', 'sh check.sh', ...open]
        await killedIn(one.start(task, { environment }), one.project)
        const id = (await store.list()).rows[0]?.id ?? ''
        // On the second machine the file is there, what the command did is not, and it is killed in a command again.
        const resume = ['-p', '-r', id, ...open]
        await killedIn(one.start(resume, second), second.folder)
        expect(readFileSync(join(second.folder, 'new.txt'), 'utf8')).toBe('new\n')
        // The third one ends the turn: its judgement is about the tree that everybody has.
        const ended = await one.runBuilt(resume, third)
        expect(ended).toMatchObject({ stdout: expect.stringContaining('The sum is right') })
        expect(ended.stderr).toContain('dist/')
        const { history, state } = await readSession(store, id)
        const settled = eventsOf(history, 'tool.finished').filter(({ metadata }) => metadata?.['settled'] === true)
        expect(settled.map(({ outcome }) => outcome)).toEqual(['interrupted', 'interrupted'])
        expect(eventsOf(history, 'workspace.prepared').map(({ place }) => place.root)).toEqual([
          second.folder,
          third.folder,
        ])
        expect([ended.code, state.lastTurn?.verdict]).toEqual([0, 'verified'])
        expect(existsSync(join(third.folder, 'begun'))).toBe(false)

        // Back at the terminal: what the killed command left there is not known to the session, and is not overwritten.
        const asked = ['-p', 'What does it do?', '-r', id, ...open]
        const refused = await one.runBuilt(asked, { environment })
        expect(refused.stderr).toContain('begun')
        expect(refused.code).not.toBe(0)
        expect((await readSession(store, id)).history).toHaveLength(history.length)
        writeFileSync(join(one.project, 'begun'), '')
        plainGit(one.project, ['clean', '-qf', 'begun'])
        const back = await one.runBuilt(asked, { environment })
        expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('It adds.') })
        expect(readFileSync(one.path('sum.js'), 'utf8')).toContain('a + b')
        expect(readFileSync(one.path('dist/out.js'), 'utf8')).toBe('built\n')
        const after = await readSession(store, id)
        expect(after.state.workspace?.tree?.id).toBe(state.workspace?.tree?.id)
        const read = async (...words: string[]) => (await one.runBuilt(words, { environment })).stdout
        // The ignored files here are others than where it was judged, so that it may show something else.
        expect(await read('evidence', id)).toMatch(/Verdict: verified elsewhere \(linux \w+, node \d+\)/)
        expect(await read('evidence', id)).toContain('loader check')
        expect(await read('status', id)).toContain('loader check')
        for (const words of [
          ['show', id],
          ['timeline', id],
        ]) {
          const said = (await read(...words)).replaceAll(/\s+/g, ' ')
          expect(said.split('The session went on in')).toHaveLength(4)
          expect(said).toContain('1 ignored (dist/)')
        }
        expect((await one.runBuilt(['verify', id], { environment })).code).toBe(0)
      },
    )
  },
)
