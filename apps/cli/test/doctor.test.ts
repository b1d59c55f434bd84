import nodeFileSystem, { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryWorkspace } from '@loader/test-harness'
import { FileSessionStore, type FileSystem } from '@loader/session-fs'
import { systemError } from '@loader/test-harness/faults'
import { describe, expect, test } from 'vitest'
import { examineSessions } from '../src/doctor/examine-sessions.ts'
import { fileSystemName } from '../src/doctor/file-system-name.ts'
import { nodeCheck } from '../src/doctor/machine.ts'
import { DoctorOutput } from '../src/schemas/doctor.ts'
import { damage } from './written/damage.ts'
import { loader } from './written/fake-console.ts'
import { storeIn } from './written/store-in.ts'
import { exchange, openSession, writtenSession } from './written/written-session.ts'

async function doctor(root: string, ...words: string[]) {
  const { out, code } = await loader(['doctor', '--json', ...words], {
    folder: root,
    environment: { PATH: process.env['PATH'] ?? '' },
  })
  return { code, output: DoctorOutput.parse(JSON.parse(out)) }
}

describe('where all is well', () => {
  test('the doctor has looked at the machine, the settings and every session', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const { code, output } = await doctor(workspace.root)
    expect(code).toBe(0)
    expect(output.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'node',
        'git',
        'ripgrep',
        'settings',
        'rules',
        'projects',
        'store',
        'disk',
        'file system',
      ]),
    )
    expect(output.sessions).toMatchObject([{ id, intact: true, events: 7, findings: [] }])
    expect(output.damaged).toBe(0)
  })

  test('in a project without sessions it makes none, and leaves no file', async () => {
    await using workspace = await temporaryWorkspace()
    expect((await doctor(workspace.root)).code).toBe(0)
    expect(await workspace.files({ ignore: [] })).toEqual({})
    expect(readdirSync(workspace.root)).toEqual([])
  })

  test('sessions that cannot be listed are told like the rest, and the exit code says that something failed', async () => {
    await using workspace = await temporaryWorkspace()
    const { directory } = storeIn(workspace.root)
    mkdirSync(dirname(directory), { recursive: true })
    writeFileSync(directory, 'a file, where a folder should be')
    const { code, output } = await doctor(workspace.root)
    expect(code).toBe(1)
    expect(output.checks.find(({ name }) => name === 'sessions')).toMatchObject({ state: 'failure' })
    expect(output.checks.find(({ name }) => name === 'disk')).toMatchObject({ state: 'ok' })
    const { out } = await loader(['doctor'], { folder: workspace.root })
    expect(out).toMatch(/failure +sessions /)
    expect(out).not.toContain('none damaged')
  })

  test('what cannot be read is one finding among the others', async () => {
    await using workspace = await temporaryWorkspace({ files: { '.loader/permission-rules.json/in.txt': '' } })
    const { code, output } = await doctor(workspace.root)
    expect(code).toBe(1)
    expect(output.checks.find(({ name }) => name === 'rules')).toMatchObject({ state: 'failure' })
    expect(output.checks.find(({ name }) => name === 'disk')).toMatchObject({ state: 'ok' })
  })

  test('a session that is being written is no damage', async () => {
    await using workspace = await temporaryWorkspace()
    await using session = await openSession(workspace.root)
    await session.append(exchange(1, 'Hi', 'Hello').slice(0, 3))
    expect(await doctor(workspace.root)).toMatchObject({ code: 0, output: { damaged: 0 } })
  })
})

describe('where a session is damaged', () => {
  test('the exit code is 6, the damage is named, and nothing is touched', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    damage(workspace.root, id)
    const before = bytesOf(workspace.root, id)
    const { code, output } = await doctor(workspace.root)
    expect(code).toBe(6)
    expect(output.damaged).toBe(1)
    const found = output.sessions.find((session) => session.id === id)
    expect(found).toMatchObject({ intact: false, repaired: null })
    expect(found?.findings.some(({ severity }) => severity === 'damage')).toBe(true)
    const text = await loader(['doctor'], { folder: workspace.root })
    expect(text.out).toContain(`${id} is damaged`)
    expect(text.out).toContain('loader doctor --repair')
    expect(bytesOf(workspace.root, id)).toEqual(before)
  })

  test('--repair makes a copy that goes on, and touches no byte of the session', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, [...exchange(1, 'Hi', 'Hello'), ...exchange(2, 'More', 'Yes')])
    damage(workspace.root, id, 'turn_2')
    const before = bytesOf(workspace.root, id)
    const { code, output } = await doctor(workspace.root, '--repair')
    expect(code).toBe(6)
    const copy = output.sessions.find((session) => session.id === id)?.repaired
    expect(copy?.id).toBe(`${id}-salvaged`)
    expect(bytesOf(workspace.root, id)).toEqual(before)
    const shown = await loader(['show', copy?.id ?? ''], { folder: workspace.root })
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('Hello') })
    expect((await loader(['verify', copy?.id ?? ''], { folder: workspace.root })).code).toBe(0)
  })

  test('--repair makes one copy, however often it is run, and none of the copy', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, [...exchange(1, 'Hi', 'Hello'), ...exchange(2, 'More', 'Yes')])
    damage(workspace.root, id, 'turn_2')
    for (let run = 0; run < 3; run += 1) await doctor(workspace.root, '--repair')
    const { output } = await doctor(workspace.root, '--repair')
    const shown = output.sessions.map((session) => [session.id, session.intact, session.copy] as const)
    expect(shown.toSorted(([one], [other]) => (one < other ? -1 : 1))).toEqual([
      [id, false, `${id}-salvaged`],
      [`${id}-salvaged`, true, null],
    ])
    expect((await loader(['doctor'], { folder: workspace.root })).out).toContain('A copy that goes on was made before')
  })
})

test('settings and rules that cannot be understood are named with their place', async () => {
  await using workspace = await temporaryWorkspace()
  mkdirSync(workspace.path('config'))
  writeFileSync(workspace.path('config', 'settings.json'), '{\n  "modle": "x"\n}')
  writeFileSync(workspace.path('config', 'permission-rules.json'), '{ "allow": [ }')
  const { code, output } = await doctor(workspace.root)
  expect(code).toBe(1)
  const state = (name: string) => output.checks.find((check) => check.name === name)
  expect(state('settings')).toMatchObject({ state: 'failure', message: expect.stringContaining('settings.json:2') })
  expect(state('rules')).toMatchObject({ state: 'failure', message: expect.stringContaining('permission-rules.json') })
})

test.each([
  ['26.10.0', 'ok'],
  ['22.19.0', 'ok'],
  ['24.0.0', 'ok'],
  ['22.18.3', 'failure'],
  ['20.19.0', 'failure'],
  ['18.20.0', 'failure'],
])('Node %s is %s', (version, state) => {
  expect(nodeCheck(version).state).toBe(state)
})

test.each([
  [0xef53, 'ext4', false],
  [0x6969, 'NFS', true],
  [-11317950, 'SMB', true],
  [0x1234, '0x1234', false],
])('file system %i is %s', (type, name, isShared) => {
  expect(fileSystemName(type, 'linux')).toEqual({ name, isShared })
})

function bytesOf(root: string, id: string): Record<string, string> {
  const folder = storeIn(root).directory
  const names = readdirSync(folder).filter((name) => name.startsWith(`${id}.`))
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
}

test('a session that cannot be looked at now is neither called damaged nor copied', async () => {
  await using workspace = await temporaryWorkspace()
  const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
  const { directory } = storeIn(workspace.root)
  // As where too many files are open: the system says so of each that is opened after the list was made.
  const busy: FileSystem = {
    ...nodeFileSystem,
    readFileSync(path: string) {
      if (!path.endsWith('.journal.jsonl')) return nodeFileSystem.readFileSync(path)
      throw systemError('EMFILE', { syscall: 'open', path })
    },
  }
  const store = new FileSessionStore({ directory }, { fileSystem: busy })
  const { rows } = await storeIn(workspace.root).list()
  await expect(examineSessions(store, rows, 'copies')).rejects.toMatchObject({
    code: 'storage_refused',
    message: expect.stringContaining('try again'),
  })
  expect((await storeIn(workspace.root).list()).rows.map((row) => row.id)).toEqual([id])
})
