import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { gitTool } from '../src/index.ts'
import { examine, examineValid, perform, refusalOf, toolContext } from './perform.ts'
import { repository } from './repository.ts'

const looks: readonly (readonly [action: string, args: readonly string[]])[] = [
  ['status', []],
  ['diff', []],
  ['diff', ['HEAD']],
  ['log', ['-p', '--stat']],
  ['show', ['HEAD']],
  ['blame', ['a.txt']],
  ['branch', []],
  ['branch', ['other']],
  ['rev-parse', ['HEAD']],
  ['ls-files', ['-m', '-o']],
]

describe('looking at a repository', () => {
  test.each(looks)('with %s %j leaves every file in .git as it is, times included', async (action, args) => {
    await using place = await repository()
    const before = await place.insides()
    expect(await perform(gitTool({ root: place.root }), { action, args })).toMatchObject({ outcome: 'ok' })
    expect(await place.insides()).toEqual(before)
  })

  test('is a probe in a folder of the workspace, with the command to be read beforehand', async () => {
    await using place = await repository()
    const examined = await examineValid(gitTool({ root: place.root }), { action: 'log', args: ['-1'], cwd: 'src' })
    expect(examined).toMatchObject({
      effect: 'probe',
      intent: [],
      paths: [{ path: join(place.root, 'src'), inside: true }],
      preview: 'git log --no-ext-diff --no-textconv -1',
    })
    expect(gitTool({ root: place.root }).effect).toBe('probe')
  })

  test('shows what git complains about, and fails', async () => {
    await using place = await repository()
    const result = await perform(gitTool({ root: place.root }), { action: 'show', args: ['nothing'] })
    expect(result).toMatchObject({ outcome: 'failed', metadata: { exitCode: 128 } })
    expect(result.text).toMatch(/^\[Exit code 128: fatal: .*nothing/)
  })

  test('cuts a long output in the middle', async () => {
    await using place = await repository()
    await place.write('a.txt', 'line\n'.repeat(20_000))
    const { text, metadata } = await perform(gitTool({ root: place.root }), { action: 'diff' })
    expect(metadata).toMatchObject({ truncated: true })
    expect(text).toMatch(/^diff --git[^]*bytes were cut here[^]*\+line$/)
    expect(text.length).toBeLessThan(31_000)
  })

  test('works in a linked work tree and in a submodule', async () => {
    await using place = await repository()
    place.git('worktree', 'add', '-q', '../tree', '-b', 'side')
    const tree = gitTool({ root: join(place.top, 'tree') })
    expect((await perform(tree, { action: 'branch', args: ['--show-current'] })).text).toBe('side')

    place.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', join(place.top, 'tree'), 'module')
    const { text } = await perform(gitTool({ root: place.root }), { action: 'log', args: ['--oneline'], cwd: 'module' })
    expect(text).toContain('Second')
  })

  test('works below the top of the repository, and stays in the workspace', async () => {
    await using place = await repository()
    const tool = gitTool({ root: join(place.root, 'src') })
    expect((await perform(tool, { action: 'ls-files' })).text).toBe('b.txt')
    expect(await refusalOf(tool, { action: 'log', args: ['--', '../a.txt'] })).toContain('outside the workspace')
  })

  test('is stopped when it is cancelled', async () => {
    await using place = await repository()
    const context = await toolContext({ signal: AbortSignal.abort() })
    const result = await perform(gitTool({ root: place.root }), { action: 'log' }, context)
    expect(result).toMatchObject({ outcome: 'interrupted' })
  })
})

describe('git is not run', () => {
  test('where there is no repository', async () => {
    await using workspace = await temporaryWorkspace()
    expect(await refusalOf(gitTool({ root: workspace.root }), { action: 'status' })).toContain('git repository')
  })

  test('in a folder that took the place of the one that was looked at', async () => {
    await using place = await repository()
    await place.write('other/c.txt', '')
    const tool = gitTool({ root: place.root })
    await symlink('src', join(place.root, 'way'))
    const examined = await examineValid(tool, { action: 'log', cwd: 'way' })
    await rm(join(place.root, 'way'))
    await symlink('other', join(place.root, 'way'))
    expect(await tool.run(examined, await toolContext())).toMatchObject({ outcome: 'failed' })
  })

  test('with settings that git itself cannot read', async () => {
    await using place = await repository()
    await place.write('.git/config', '[broken\n')
    const { outcome, text } = await perform(gitTool({ root: place.root }), { action: 'log' })
    expect([outcome, text]).toMatchObject(['failed', expect.stringContaining('cannot be read')])
  })

  test('when it is not installed', async () => {
    await using place = await repository()
    const tool = gitTool({ root: place.root, variables: { PATH: '/nowhere' } })
    expect((await perform(tool, { action: 'log' })).text).toContain('not installed')
  })

  test('with an action that is none of those that look', async () => {
    await using place = await repository()
    await expect(examine(gitTool({ root: place.root }), { action: 'push' })).rejects.toThrow('invalid_value')
  })
})
