import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { LoaderError, shownText } from '@loader/session-core'
import { type Check, Grounding } from '@loader/session-core/coding'
import { fixedEnvironment, processesWith, rareSleep, temporaryWorkspace } from '@loader/test-harness'
import { needing } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { openWorkspace, wallsAround } from '../src/index.ts'
import { noNamespace } from './bubblewrap.ts'

test('a workspace is a folder that is there', () => {
  expect(() => openWorkspace({ root: '/nowhere/at/all' })).toThrow(LoaderError)
})

describe('instructions', () => {
  const instructions = async (files: Record<string, string>, cwd?: string) => {
    await using workspace = await temporaryWorkspace({ files })
    return await openWorkspace({ root: workspace.root, ...(cwd === undefined ? {} : { cwd }) }).instructions()
  }

  test('come from the root down to the folder at hand, outermost first', async () => {
    const files = {
      'AGENTS.md': 'top',
      'a/AGENTS.md': 'a',
      'a/b/AGENTS.md': 'b',
      'a/b/c/AGENTS.md': 'c',
      'x/AGENTS.md': 'x',
    }
    expect(await instructions(files, 'a/b')).toEqual([
      { path: 'AGENTS.md', text: 'top' },
      { path: 'a/AGENTS.md', text: 'a' },
      { path: 'a/b/AGENTS.md', text: 'b' },
    ])
    expect(await instructions(files)).toEqual([{ path: 'AGENTS.md', text: 'top' }])
  })

  test('are those of CLAUDE.md in a folder without an AGENTS.md that says something', async () => {
    const files = {
      'CLAUDE.md': 'top',
      'a/AGENTS.md': 'a',
      'a/CLAUDE.md': 'other',
      'a/b/AGENTS.md': ' \n',
      'a/b/CLAUDE.md': 'b',
    }
    expect((await instructions(files, './a/b/')).map(({ text }) => text)).toEqual(['top', 'a', 'b'])
  })

  test('are cut where they would fill the window of a model', async () => {
    const [only] = await instructions({ 'AGENTS.md': 'x'.repeat(100_000) })
    expect(only?.text).toMatch(/^x{65536}\n\[… 34464 more characters\]$/)
  })

  test('are read through a link that stays inside, and through no other', async () => {
    await using around = await temporaryWorkspace({
      files: { 'ws/docs/rules.md': 'ours', 'secret.md': 'theirs', 'ws/a/x': '' },
    })
    await symlink('docs/rules.md', around.path('ws/AGENTS.md'))
    await symlink('../../secret.md', around.path('ws/a/AGENTS.md'))
    const workspace = openWorkspace({ root: around.path('ws'), cwd: 'a' })
    expect(await workspace.instructions()).toEqual([{ path: 'AGENTS.md', text: 'ours' }])
  })

  test('are not waited for where a pipe has their name', async () => {
    await using workspace = await temporaryWorkspace()
    execFileSync('mkfifo', [workspace.path('AGENTS.md')])
    expect(await openWorkspace({ root: workspace.root }).instructions()).toEqual([])
  })
})

describe('looking at paths', () => {
  test('tells which are there, and nothing about what lies outside', async () => {
    await using around = await temporaryWorkspace({
      files: { 'ws/a.txt': '', 'ws/d/e': '', 'ws/.loader/s': '', outside: '' },
    })
    await symlink('../outside', around.path('ws/link'))
    const workspace = openWorkspace({ root: around.path('ws') })
    const paths = [
      'a.txt',
      'd',
      'd/../a.txt',
      'b.txt',
      '../outside',
      around.path('outside'),
      'link',
      '.loader/s',
      '/etc/passwd',
    ]
    const seen = await workspace.look(paths)
    expect(seen.map(({ path }) => path)).toEqual(paths)
    expect(seen.filter(({ exists }) => exists).map(({ path }) => path)).toEqual(['a.txt', 'd', 'd/../a.txt'])
  })
})

describe('grounding a task', () => {
  const ground = async (task: string, files: Record<string, string>) => {
    await using workspace = await temporaryWorkspace({ files })
    return Grounding.parse(await openWorkspace({ root: workspace.root }).ground(task))
  }
  const project = {
    'README.md': '# Shop\n',
    'src/invoice-printer.ts': 'import x\n\nexport function printInvoice() {}\n',
    'src/login.ts': 'const a = 1\n',
    'src/customer/address.py': 'class Address:\n    pass\n',
    'node_modules/invoice/invoice.ts': '',
    '.hidden/invoice.ts': '',
    'assets/invoice.png': '',
  }

  test('finds what it names, what is not there, and what its words point to', async () => {
    const found = await ground('Fix printing of the invoice total in `src/login.ts:12`, and add src/total.ts.', project)
    expect(found).toEqual({
      entries: ['README.md', 'assets/', 'src/'],
      referenced: ['src/login.ts'],
      missing: ['src/total.ts'],
      candidates: ['src/invoice-printer.ts'],
      facts: [
        { path: 'src/login.ts', line: 'const a = 1' },
        { path: 'src/invoice-printer.ts', line: 'export function printInvoice() {}' },
      ],
    })
  })

  test.each([
    ['Use and/or in Node.js, see https://example.com/a.ts and e.g. console.log or v1.2.3', [], []],
    ['(see src/login.ts), "README.md"; docs/', ['src/login.ts', 'README.md'], ['docs/']],
    ['Look at ../secret.ts, /etc/passwd.txt and .loader/x.json', [], []],
    ['The pages app/(shop)/[id]/page.tsx and lib/new.ts!', [], ['app/(shop)/[id]/page.tsx', 'lib/new.ts']],
  ])('reads paths out of: %s', async (task, referenced, missing) => {
    expect(await ground(task, project)).toMatchObject({ referenced, missing })
  })

  test('keeps every list short, whatever is there', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `parser-${index}.ts`)
    const files = Object.fromEntries(names.map((name) => [name, `export const ${'p'.repeat(500)} = 1`]))
    const task = `parser ${names.slice(0, 10).join(' ')} ${names
      .slice(0, 10)
      .map((name) => `no-${name}`)
      .join(' ')}`
    const found = await ground(task, files)
    expect([found.entries.length, found.referenced.length, found.missing.length, found.facts.length]).toEqual([
      6, 4, 4, 4,
    ])
    expect(found.facts.every(({ line }) => line.length <= 120)).toBe(true)
    expect((await ground('parser', files)).candidates).toHaveLength(4)
  })

  test('does not take longer where there is more', async () => {
    await using workspace = await temporaryWorkspace()
    for (let number = 0; number < 1000; number += 1) await workspace.write(`d${number % 50}/f${number}.ts`, 'x')
    await workspace.write('z/zebra.ts', 'x')
    const opened = openWorkspace({ root: workspace.root })
    expect((await opened.ground('zebra')).candidates).toEqual([])
    expect((await opened.ground('f100')).candidates.length).toBeGreaterThan(0)
    await opened.ground(`${'a'.repeat(1_000_000)} ${'(/'.repeat(100_000)}`)
  })
})

describe('running a check', () => {
  // What is tested has nothing to do with walls, and whether they hold is tried anew for each workspace.
  const runs = async (check: Partial<Check> & { command: string }, options = {}) => {
    await using workspace = await temporaryWorkspace({ files: { 'sub/x': '' } })
    const { root } = workspace
    const walls = wallsAround({ root, use: 'off' })
    const opened = openWorkspace({ root, walls, environment: fixedEnvironment(), graceMs: 200 })
    return await opened.runCheck({ id: 'check_1', kind: 'test', source: 'user', ...check }, options)
  }

  test('passes with exit code 0, and with no other', async () => {
    expect(await runs({ command: 'echo fine' })).toEqual({
      outcome: 'passed',
      exitCode: 0,
      output: 'fine',
      outputDigest: `sha256:${createHash('sha256').update('fine\n').digest('hex')}`,
      startedAt: '2026-01-01T00:00:00.000Z',
      finishedAt: '2026-01-01T00:00:01.000Z',
    })
    expect(await runs({ command: 'echo broken >&2; exit 2' })).toMatchObject({ outcome: 'failed', exitCode: 2 })
    expect(await runs({ command: 'no-such-program-anywhere' })).toMatchObject({ outcome: 'failed', exitCode: 127 })
  })

  test('runs where nobody looks on, without our credentials, in its folder', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'sub/x': '' } })
    const variables = { ...process.env, MY_API_KEY: 'secret' }
    const opened = openWorkspace({ root: workspace.root, variables })
    const command = 'echo "$CI $NO_COLOR ${MY_API_KEY-none} ${PWD##*/}"; tty; read -r line; echo "read $?"'
    const { output } = await opened.runCheck({ id: 'c', kind: 'test', source: 'user', command, cwd: 'sub' })
    expect(output).toBe('1 1 none sub\nnot a tty\nread 1')
  })

  test('fails when its time is over', async () => {
    const run = await runs({ command: 'echo begun; sleep 600', timeoutMs: 200 })
    expect(run).toMatchObject({ outcome: 'failed', exitCode: null, signal: 'SIGTERM' })
    // On a machine that is busy it may not even have begun.
    expect(run.output).toMatch(/^(begun\n)?[^]*stopped after 0.2 s/)
  })

  test('is interrupted when it is cancelled', async () => {
    const stopping = new AbortController()
    const heard: string[] = []
    const onOutput = (chunk: string) => {
      heard.push(chunk)
      stopping.abort()
    }
    const run = await runs({ command: 'echo begun; sleep 600' }, { signal: stopping.signal, onOutput })
    expect(run).toMatchObject({ outcome: 'interrupted', exitCode: null })
    expect(heard.join('')).toContain('begun')
  })

  test('keeps the head and the tail of a long output, and a digest of all of it', async () => {
    const { output, outputDigest } = await runs({ command: 'echo first; seq 1000000 1050000; echo last' })
    expect(output).toMatch(/^first\n[^]*bytes were cut here[^]*\nlast$/)
    expect(shownText(output).length).toBeLessThan(37_000)
    const numbers = Array.from({ length: 50_001 }, (_, index) => `${1_000_000 + index}\n`).join('')
    expect(outputDigest).toBe(`sha256:${createHash('sha256').update(`first\n${numbers}last\n`).digest('hex')}`)
  })

  test('tells the signal that ended it', async () => {
    expect(await runs({ command: 'kill -9 $$' })).toMatchObject({ outcome: 'failed', exitCode: 137, signal: 'SIGKILL' })
  })

  test.each(['../elsewhere', 'missing', '/'])('fails without running in %s', async (cwd) => {
    const run = await runs({ command: 'touch ran; echo ran', cwd })
    expect(run).toMatchObject({ outcome: 'failed', exitCode: null })
    expect(run.outputDigest).toBeUndefined()
  })

  test(needing(noNamespace, 'leaves nothing running'), { skip: noNamespace !== undefined }, async () => {
    const sleep = rareSleep()
    await runs({ command: `setsid sleep ${sleep} & (sleep ${sleep} &); exit 0` })
    expect(processesWith(sleep)).toEqual([])
  })
})
