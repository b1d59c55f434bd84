import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type EventOf, type EventType, type History, isSessionEvent, readSession } from '@loader/session-core'
import { call, line } from '@loader/test-harness'
import { ownFileSystem, type Server, sharedServer, whyNoCable } from '@loader/test-postgres'
import { fromCi, sample } from '@loader/test-tier'
import { beforeAll, describe, expect, test } from 'vitest'
import { fleetStage } from './fleet-stage.ts'
import { strangeProject } from './strange-project.ts'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

function eventsOf<Type extends EventType>(history: History, type: Type): EventOf<Type>[] {
  return history.filter((event): event is EventOf<Type> => isSessionEvent(event) && event.type === type)
}

const script = [
  line('I note it.', call('write', { file_path: 'note.txt', content: 'Mend it.\n' })),
  line('It is noted.'),
  line('I begin.', call('write', { file_path: 'new.txt', content: 'new\n' })),
  line('I wait.', call('bash', { command: 'echo begun > begun; sleep 600' })),
  line('I go on.', call('edit', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' })),
  { ...line('The sum is right now.', call('finish', { how: 'done', summary: 'The sum is right.' })), repeat: 1 },
  { ...line('It adds.'), repeat: 'any' as const },
]

describe.runIf(fromCi)('a session of a project', { timeout: 240_000 }, () => {
  test.each(sample(['with a remote', 'without a remote'] as const, { quick: 1, ci: 1 }))(
    '%s goes from the terminal to a worker, which is killed in a command, to one with other disks, and back',
    async (kind) => {
      await using fleet = await fleetStage(server, ...script)
      const { one, store, dispatch } = fleet
      strangeProject(one, kind)
      const environment = { ...fleet.environment, LOADER_WALLS: '' }
      const atTerminal = (...words: string[]) => one.runBuilt(words, { environment })
      const flags = ['--permission-mode', 'workspace-write']
      expect(await atTerminal('-p', 'Create note.txt.', ...flags)).toMatchObject({ code: 0 })
      const id = (await store.list()).rows[0]?.id ?? ''
      const queued = await atTerminal('run', '-r', id, 'Mend the sum.', '--check', 'sh check.sh', '--detach')
      expect(queued).toMatchObject({ code: 0, stderr: '' })

      // The first worker is killed in a command, which has changed a file.
      const first = fleet.worker(flags, 'machine-1', { environment })
      const firstFolder = join(fleet.folderOn('machine-1'), '..', id)
      await expect.poll(() => existsSync(join(firstFolder, 'begun'))).toBe(true)
      first.process.kill('SIGKILL')
      await first.ended

      // The second one has disks that nobody else sees, but for those that hold the programs.
      const projects = join(fleet.folderOn('machine-2'), '..')
      const inside = whyNoCable() === undefined ? ownFileSystem(projects) : []
      const second = fleet.worker(flags, 'machine-2', { environment, inside })
      await expect.poll(async () => (await dispatch.fleet()).sessions).toEqual([])
      await expect.poll(() => second.said()).toContain(`done ${id}`)
      if (inside.length > 0) expect(existsSync(join(projects, id))).toBe(false)
      second.process.kill('SIGTERM')
      expect(await second.ended).toMatchObject({ code: 0 })
      const { state, history } = await readSession(store, id)
      expect(state.lastTurn).toMatchObject({ reason: 'turn_complete', verdict: 'verified' })

      // Back at the terminal the files are those that the session has left, and everything else is as it was.
      const leftThere = () =>
        ['dist/out.js', '.env', 'nested/inside'].map((path) => readFileSync(one.path(path), 'utf8'))
      const ignored = leftThere()
      const back = await atTerminal('-p', 'What does it do?', '-r', id, ...flags)
      expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('It adds.') })
      const after = await readSession(store, id)
      const prepared = eventsOf(after.history, 'workspace.prepared')
      expect(prepared.map(({ place }) => place.root)).toEqual([firstFolder, join(projects, id), one.project])
      // Each begins with the tree that was stored before it: the same id on every machine.
      for (const { seq, tree } of prepared) {
        const saved = eventsOf(after.history, 'workspace.saved').findLast((event) => event.seq < seq)
        expect(tree.id).toBe(saved?.tree)
      }
      expect(after.state.workspace?.tree?.id).toBe(state.workspace?.tree?.id)
      expect(readFileSync(one.path('sum.js'), 'utf8')).toContain('a + b')
      expect(['note.txt', 'new.txt'].map((path) => readFileSync(one.path(path), 'utf8'))).toEqual([
        'Mend it.\n',
        'new\n',
      ])
      expect([...leftThere(), statSync(one.path('large')).size]).toEqual([...ignored, 200 * 1024 ** 2])
      expect(existsSync(one.path('begun'))).toBe(false)

      // The call that was cut off was looked at, and was not run again.
      const settled = eventsOf(history, 'tool.finished').filter(({ metadata }) => metadata?.['settled'] === true)
      expect(settled.map(({ outcome }) => outcome)).toEqual(['interrupted'])
      const left = prepared[1]?.missing.map(({ kind: what, names }) => [what, ...names])
      expect(left).toEqual([
        ['ignored', '.env', 'dist/'],
        ['large', 'large'],
        ['nested', 'nested/'],
      ])
      // The judgement came along with where it was made, and the check passes here as well.
      const evidence = await atTerminal('evidence', id)
      expect(evidence.stdout).toMatch(/Verdict: verified elsewhere \(linux \w+, node \d+\)/)
      expect(await atTerminal('check', id)).toMatchObject({ code: 0, stdout: expect.stringContaining('sh check.sh') })
      expect((await atTerminal('show', id)).stdout.replaceAll(/\s+/g, ' ')).toContain('(nested/)')
      expect((await atTerminal('verify', id)).code).toBe(0)
    },
  )
})
