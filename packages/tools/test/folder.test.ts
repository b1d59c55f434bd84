import { spawnSync } from 'node:child_process'
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises'
import { temporaryWorkspace } from '@loader/test-harness'
import { needing } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { bestHolding, type Holding, makeFolder, openFolder } from '@loader/workspace'
import { readTool } from '../src/index.ts'
import { refusalOf } from './perform.ts'

const swapped = /was replaced while it was used/

describe.each<Holding>(['descriptors', 'names'])('a folder that is held by %s', (holding) => {
  const skip = holding === 'descriptors' && bestHolding !== 'descriptors'

  test('leads to its entries, and is made where it is missing', { skip }, async () => {
    await using workspace = await temporaryWorkspace({ files: { 'a/f': '' } })
    using folder = makeFolder(workspace.path('a/b/c'), holding)
    await writeFile(folder.at('new'), 'x')
    await folder.sync()
    folder.requireStanding()
    expect(await workspace.files()).toEqual({ 'a/f': '', 'a/b/c/new': 'x' })
  })

  test('is not opened through a link, a file, or where there is none', { skip }, async () => {
    await using workspace = await temporaryWorkspace({ files: { 'a/b/f': '' } })
    await symlink('a', workspace.path('link'))
    expect(() => openFolder(workspace.path('link'), holding)).toThrow(swapped)
    expect(() => openFolder(workspace.path('link/b'), holding)).toThrow(swapped)
    expect(() => makeFolder(workspace.path('link/b/new'), holding)).toThrow(swapped)
    expect(() => openFolder(workspace.path('a/b/f'), holding)).toThrow(swapped)
    expect(() => openFolder(workspace.path('a/none'), holding)).toThrow(/a\/none/)
    expect(await readdir(workspace.path('a/b'))).toEqual(['f'])
  })

  test('notices that something else stands in its place', { skip }, async () => {
    await using workspace = await temporaryWorkspace({ files: { 'a/b/f': '' } })
    using folder = openFolder(workspace.path('a/b'), holding)
    folder.requireStanding()
    await rename(workspace.path('a'), workspace.path('moved'))
    expect(() => folder.requireStanding()).toThrow(/is not there|was replaced/)
    await mkdir(workspace.path('a/b'), { recursive: true })
    expect(() => folder.requireStanding()).toThrow(swapped)
  })
})

test(
  needing(
    bestHolding !== 'descriptors' && 'this system holds no folders by descriptors',
    'a folder that is held by descriptors stays the same wherever it moves',
  ),
  { skip: bestHolding !== 'descriptors' },
  async () => {
    await using workspace = await temporaryWorkspace({ files: { 'a/f': '', 'elsewhere/f': '' } })
    using folder = openFolder(workspace.path('a'))
    await rename(workspace.path('a'), workspace.path('moved'))
    await symlink('elsewhere', workspace.path('a'))
    await writeFile(folder.at('new'), '')
    expect([await readdir(workspace.path('moved')), await readdir(workspace.path('elsewhere'))]).toEqual([
      ['f', 'new'],
      ['f'],
    ])
  },
)

const mountable = spawnSync('unshare', ['--mount', 'true']).status === 0

test(
  needing(
    !mountable && 'nothing can be mounted here',
    'the records of the sessions are known by what they are, not only by their name',
  ),
  { skip: !mountable },
  async () => {
    await using workspace = await temporaryWorkspace({ files: { '.loader/f': 'secret\n', 'notes/f': 'plain\n' } })
    expect(await refusalOf(readTool(workspace), { file_path: '.loader/f' })).toContain('the records of the sessions')
    const program = `
    const { readTool } = await import('@loader/tools')
    const examined = await readTool({ root: process.env.ROOT }).examine({ file_path: 'notes/f', offset: 1, limit: 1 }, { callId: 'call_1' })
    console.log(JSON.stringify(examined))`
    const node = [process.execPath, '--conditions=@loader/source', '--input-type=module', '--eval', program]
    const { stdout, stderr } = spawnSync(
      'unshare',
      [
        '--mount',
        'sh',
        '-c',
        `cd "$0" && mount --bind .loader notes && cd "$1" && exec "$2" "$3" "$4" "$5" "$6"`,
        workspace.root,
        import.meta.dirname,
        ...node,
      ],
      { encoding: 'utf8', env: { ...process.env, ROOT: workspace.root } },
    )
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('the records of the sessions'), stderr: '' })
  },
)
