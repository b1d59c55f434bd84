import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SessionsOutput } from '@loader/readings'
import { FileSessionStore } from '@loader/session-fs'
import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { describe, expect, test } from 'vitest'
import { jsonLines, type Stage, stage } from './stage/stage.ts'

const answers = { ...line('Here I am.'), repeat: 'any' } as const
const stall: WireLine = { text: 'I begin', chunks: 'word', fault: { type: 'stall', after: 1 } }
const asJson = ['--output-format', 'json']

/** One turn in a folder, and the session that it leaves. */
async function work(one: Stage, folder: string, ...words: readonly string[]): Promise<string> {
  const { code, stdout } = await one.run(['-p', 'Hello!', ...asJson, ...words], { folder })
  const [result] = jsonLines(stdout)
  expect({ code, result }).toMatchObject({ code: 0 })
  return String(result?.['session_id'])
}

async function listed(one: Stage, folder: string, ...words: readonly string[]) {
  const { code, stdout, stderr } = await one.run(['sessions', '--json', ...words], { folder })
  const sessions = code === 0 ? SessionsOutput.parse(JSON.parse(stdout)).sessions : []
  return { code, stderr, sessions, ids: sessions.map(({ id }) => id) }
}

function beside(one: Stage, name: string): string {
  const folder = join(one.project, '..', name)
  mkdirSync(folder, { recursive: true })
  return folder
}

function git(folder: string, ...words: readonly string[]): void {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  execFileSync('git', [...who, ...words], { cwd: folder, stdio: 'ignore' })
}

function repository(one: Stage): void {
  one.write('README', one.project)
  git(one.project, 'init')
  git(one.project, 'add', '.')
  git(one.project, 'commit', '-m', one.project)
}

describe('a session', () => {
  test('leaves nothing in the project, and nothing that happens to the project takes it', async () => {
    await using one = await stage(answers)
    repository(one)
    const id = await work(one, one.project)
    expect(readdirSync(one.project).toSorted()).toEqual(['.git', 'README'])
    git(one.project, 'clean', '-xdf')
    expect((await listed(one, one.project)).ids).toEqual([id])
    rmSync(one.project, { recursive: true })
    const elsewhere = beside(one, 'elsewhere')
    expect((await listed(one, elsewhere)).ids).toEqual([])
    expect((await listed(one, elsewhere, '--all')).sessions).toMatchObject([{ id, root: one.project, gone: true }])
    expect(await one.run(['show', id], { folder: elsewhere })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Here I am.'),
    })
    mkdirSync(one.project)
    expect((await listed(one, one.project)).ids).toEqual([id])
    expect(await work(one, one.project, '-c')).toBe(id)
  })

  test('is there in a project that has moved, which is said once', async () => {
    await using one = await stage(answers)
    repository(one)
    const id = await work(one, one.project)
    const moved = join(one.project, '..', 'moved')
    renameSync(one.project, moved)
    const first = await listed(one, moved)
    expect(first).toMatchObject({ ids: [id], stderr: expect.stringContaining(`was in ${one.project} before`) })
    expect(await listed(one, moved)).toMatchObject({ ids: [id], stderr: '' })
    expect(await work(one, moved, '-c')).toBe(id)
  })

  test('is not there in a copy of its project', async () => {
    await using one = await stage(answers)
    repository(one)
    const id = await work(one, one.project)
    const copy = join(one.project, '..', 'copy')
    cpSync(one.project, copy, { recursive: true })
    expect(await listed(one, copy)).toMatchObject({ ids: [], stderr: '' })
    const other = await work(one, copy)
    expect((await listed(one, one.project)).ids).toEqual([id])
    expect((await listed(one, copy)).ids).toEqual([other])
  })

  test('goes on from anywhere by its id, in its own project, and that is said', async () => {
    await using one = await stage(
      line('Here I am.'),
      line(call('write', { file_path: 'made.txt', content: 'made\n' })),
      answers,
    )
    const id = await work(one, one.project)
    const elsewhere = beside(one, 'elsewhere')
    const { stdout, stderr } = await one.run(['-p', 'Write it.', '-r', id, ...asJson], { folder: elsewhere })
    expect(jsonLines(stdout)).toMatchObject([{ session_id: id }])
    expect(stderr).toContain(`Session ${id} is of another project: ${one.project}`)
    expect(existsSync(one.path('made.txt'))).toBe(true)
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test('of a project that is gone is not gone on with, and the ways out work', async () => {
    await using one = await stage(answers)
    const id = await work(one, one.project)
    rmSync(one.project, { recursive: true })
    const elsewhere = beside(one, 'elsewhere')
    const refused = await one.run(['-p', 'Hello!', '-r', id], { folder: elsewhere })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    const ways = refused.stderr.match(/loader (?:show \w+|export \w+ --format json -o [\w.]+|import [\w.]+json)/g) ?? []
    expect(ways).toHaveLength(3)
    for (const way of ways) {
      const [, ...words] = way.trim().split(' ')
      const ended = await one.run(words, { folder: elsewhere })
      expect({ words, ...ended }).toMatchObject({ code: 0 })
    }
    expect((await listed(one, elsewhere)).sessions).toHaveLength(1)
    expect(await one.run(['-p', 'Hello!', '-c'], { folder: elsewhere })).toMatchObject({ code: 0 })
  })

  test('of a folder without a repository is there in the folders below it', async () => {
    await using one = await stage(answers)
    const id = await work(one, one.project)
    one.write('notes/today.txt', '')
    expect((await listed(one, one.path('notes'))).ids).toEqual([id])
  })
})

describe('sessions in the project itself', () => {
  test('from before are in the list, and go on where they are', async () => {
    await using one = await stage(answers)
    const inProject = { environment: {}, folder: one.project }
    const old = await work(one, one.project, '--config', 'sessions=project')
    const inFolder = new FileSessionStore({ root: one.project })
    expect((await inFolder.list()).rows.map(({ id }) => id)).toEqual([old])
    const before = (await inFolder.list()).rows[0]?.turns ?? 0
    const fresh = await work(one, one.project)
    expect(new Set((await listed(one, one.project)).ids)).toEqual(new Set([old, fresh]))
    expect(await work(one, one.project, '-r', old)).toBe(old)
    expect((await inFolder.list()).rows).toMatchObject([{ id: old, turns: before + 1 }])
    expect((await one.store.list()).rows.map(({ id }) => id)).toEqual([fresh])
    expect((await one.run(['doctor', '--json'], inProject)).stdout).toContain(old)
  })

  test('are asked for by the user, or by a project that is trusted', async () => {
    await using one = await stage(answers)
    one.write('.loader/settings.json', '{ "sessions": "project" }')
    await work(one, one.project)
    expect(existsSync(one.path('.loader/sessions'))).toBe(false)
    await one.run(['permissions', 'trust'])
    await work(one, one.project)
    expect(existsSync(one.path('.loader/sessions'))).toBe(true)
    expect(existsSync(one.path('.loader/.gitignore'))).toBe(false)
  })
})

describe('what is removed during a run', () => {
  test('leaves no command that cannot work: the project', async () => {
    await using one = await stage(stall)
    const running = one.start(['-p', 'Hello!', ...asJson])
    await one.server.untilAsked(1)
    rmSync(one.project, { recursive: true })
    running.process.kill('SIGINT')
    const { stdout, stderr } = await running.ended
    const [result] = jsonLines(stdout)
    expect(result).toMatchObject({ is_error: true, loader: { resume: null } })
    expect(stderr).toMatch(/The project was removed from .* The session is kept: loader show ses_/)
    const elsewhere = beside(one, 'elsewhere')
    expect(await one.run(['show', String(result?.['session_id'])], { folder: elsewhere })).toMatchObject({ code: 0 })
  })

  test('leaves no command that cannot work: the state folder', async () => {
    await using one = await stage(stall)
    const running = one.start(['-p', 'Hello!', ...asJson])
    await one.server.untilAsked(1)
    rmSync(one.state, { recursive: true })
    running.process.kill('SIGINT')
    const { stdout, stderr } = await running.ended
    expect(jsonLines(stdout)).toMatchObject([{ is_error: true, loader: { resume: null } }])
    expect(stderr).toMatch(/Session ses_\w+ was removed from .*state/)
    expect(stderr + stdout).not.toContain('loader -r')
  })
})
