import { realpathSync } from 'node:fs'
import { mkdir, rename, symlink, utimes, writeFile } from 'node:fs/promises'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { globTool } from '../src/index.ts'
import { examineValid, perform, refusalOf, toolContext } from './perform.ts'

async function found(root: string, pattern: string, path = '.'): Promise<string[]> {
  const { text } = await perform(globTool({ root }), { pattern, path })
  return text
    .split('\n')
    .filter((line) => !line.startsWith('('))
    .sort()
}

const files = {
  'top.ts': '',
  '.hidden/x.ts': '',
  'src/a.ts': '',
  'src/a.test.ts': '',
  'src/b/c.tsx': '',
  'src/b/(group)/[id]/page.ts': '',
  'src/b/.env': '',
  'node_modules/p/index.ts': '',
  '.git/config.ts': '',
  '.loader/x.ts': '',
  'log/today.ts': '',
  '.gitignore': 'log/\n',
  'src/.gitignore': '*.test.ts\n',
}

describe('the pattern', () => {
  test.each([
    ['*.ts', '.', ['top.ts']],
    ['**/*.ts', '.', ['.hidden/x.ts', 'src/a.ts', 'src/b/(group)/[id]/page.ts', 'top.ts']],
    ['src/**', '.', ['src/.gitignore', 'src/a.ts', 'src/b/(group)/[id]/page.ts', 'src/b/.env', 'src/b/c.tsx']],
    ['*.{ts,tsx}', 'src/b', ['src/b/c.tsx']],
    ['**/*.(ts|tsx)', 'src/b', ['src/b/(group)/[id]/page.ts', 'src/b/c.tsx']],
    ['**/*.@(tsx|js)', '.', ['src/b/c.tsx']],
    ['src/b/(group)/*/page.ts', '.', ['src/b/(group)/[id]/page.ts']],
    ['src/b/(group)/[id]/page.ts', '.', ['src/b/(group)/[id]/page.ts']],
    ['./src/a.ts', '.', ['src/a.ts']],
    ['../src/a.*', 'src', ['src/a.ts']],
    ['**/.*', '.', ['.gitignore', 'src/.gitignore', 'src/b/.env']],
    ['*.ts', 'node_modules/p', ['node_modules/p/index.ts']],
    ['**/*.ts', 'log', ['log/today.ts']],
    ['nothing/*', '.', undefined],
    ['**/none', '.', []],
  ])('%s in %s finds what it should', async (pattern, path, expected) => {
    await using workspace = await temporaryWorkspace({ files })
    if (expected === undefined)
      return expect(await refusalOf(globTool(workspace), { pattern, path })).toContain('no nothing')
    expect(await found(workspace.root, pattern, path)).toEqual(expected)
  })

  test.each([
    ['', 'empty'],
    ['src/', 'names a folder'],
    ['x\0', 'NUL'],
    [`${'a'.repeat(1001)}*`, 'longer than'],
    ['**/../*', 'in front of the first wildcard'],
    ['src/a.ts/*', 'is a file'],
  ])('%j is refused', async (pattern, message) => {
    await using workspace = await temporaryWorkspace({ files })
    expect(await refusalOf(globTool(workspace), { pattern })).toContain(message)
  })
})

describe('a look', () => {
  test('is a probe of the folder that the pattern begins in', async () => {
    await using workspace = await temporaryWorkspace({ files })
    expect(await examineValid(globTool(workspace), { pattern: 'src/*' })).toMatchObject({
      effect: 'probe',
      paths: [{ path: realpathSync(workspace.path('src')), inside: true }],
    })
    expect(globTool(workspace).effect).toBe('probe')
  })

  test('shows the newest first, and says how many more there are', async () => {
    await using workspace = await temporaryWorkspace()
    const order = [3, 1, 0, 2]
    for (const [age, number] of order.entries()) {
      await workspace.write(`f${number}`, '')
      await utimes(workspace.path(`f${number}`), 1_000_000 - age, 1_000_000 - age)
    }
    const { text, metadata } = await perform(globTool(workspace), { pattern: '*', max_results: 3 })
    expect(text).toBe('f3\nf1\nf0\n(These are the newest 3 of 4 files.)')
    expect(metadata).toMatchObject({ count: 4, shown: 3, truncated: true })
  })

  test('keeps the newest of many', async () => {
    await using workspace = await temporaryWorkspace()
    for (let number = 0; number < 60; number += 1) {
      await writeFile(workspace.path(`f${number}`), '')
      const time = 1_000_000 + ((number * 37) % 60)
      await utimes(workspace.path(`f${number}`), time, time)
    }
    const { text } = await perform(globTool(workspace), { pattern: '*', max_results: 2 })
    // 37 × 47 and 37 × 34 leave 59 and 58 when they are divided by 60.
    expect(text.split('\n').slice(0, 2)).toEqual(['f47', 'f34'])
  })

  test('ends after so many entries, and says so', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'a/1': '', 'b/2': '', 'c/3': '' } })
    const { text, metadata } = await perform(globTool({ root: workspace.root, mostEntries: 4 }), { pattern: '**/*' })
    expect(text).toContain('Not everything was looked at: more than 4 entries.')
    expect(metadata).toMatchObject({ count: 1, truncated: true })
  })

  test('works in a workspace under hidden and ignored folders', async () => {
    await using around = await temporaryWorkspace({
      files: {
        '.gitignore': 'build/\n*.ts\n',
        '.git/HEAD': '',
        '.cache/build/ws/src/a.ts': '',
        '.cache/build/ws/.b': '',
      },
    })
    expect(await found(around.path('.cache/build/ws'), '**/*')).toEqual(['.b', 'src/a.ts'])
  })

  test('heeds the rules of the repository around the workspace', async () => {
    await using around = await temporaryWorkspace({
      files: { '.gitignore': '*.log\n/ws/out\n', '.git/HEAD': '', 'ws/a.log': '', 'ws/b': '', 'ws/out/c': '' },
    })
    expect(await found(around.path('ws'), '**/*')).toEqual(['b'])
  })

  test('is interrupted when it is cancelled', async () => {
    await using workspace = await temporaryWorkspace({ files })
    const context = await toolContext({ signal: AbortSignal.abort() })
    expect(await perform(globTool(workspace), { pattern: '**/*' }, context)).toMatchObject({ outcome: 'interrupted' })
  })

  test('fails where another folder took the place of the one that was looked at', async () => {
    await using workspace = await temporaryWorkspace({ files: { 'a/x': '', 'b/y': '' } })
    await symlink('a', workspace.path('way'))
    const tool = globTool(workspace)
    const examined = await examineValid(tool, { pattern: 'way/*' })
    await rename(workspace.path('way'), workspace.path('old'))
    await symlink('b', workspace.path('way'))
    expect(await tool.run(examined, await toolContext())).toMatchObject({ outcome: 'failed' })
  })

  test('goes deep, and leaves out what is deeper than any project', async () => {
    await using workspace = await temporaryWorkspace()
    await mkdir(workspace.path(...Array.from({ length: 120 }, () => 'd')), { recursive: true })
    await writeFile(workspace.path(...Array.from({ length: 90 }, () => 'd'), 'found'), '')
    await writeFile(workspace.path(...Array.from({ length: 120 }, () => 'd'), 'lost'), '')
    const { text } = await perform(globTool(workspace), { pattern: '**/*' })
    expect(text).toMatch(/^(d\/){90}found\n\(1 folders could not be read.\)$/)
  })
})
