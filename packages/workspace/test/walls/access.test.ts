import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findWalls } from '@loader/workspace'
import { expect, test } from 'vitest'
import { noWalls } from './here.ts'
import { World } from './world.ts'

function pathsBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return [path, ...(lstatSync(path).isDirectory() ? pathsBelow(path) : [])]
  })
}

test.skipIf(noWalls !== undefined)(
  'a look finds at every path what work finds there, but for what it can write',
  { timeout: 120_000 },
  async () => {
    await using world = await World.make(0)
    const { place, variables, root } = world
    const walls = await findWalls({ root, variables })
    mkdirSync(join(root, '.vscode'), { recursive: true })
    writeFileSync(join(root, '.vscode/settings.json'), '{}')
    const inWorld = pathsBelow(world.base)
    const elsewhere = [
      '/',
      '/etc/passwd',
      '/etc/shadow',
      '/root',
      '/run/x.sock',
      '/tmp',
      '/tmp/a/b',
      '/var/tmp/a',
      '/usr/bin/env',
    ]
    expect(inWorld.some((path) => lstatSync(path).isSocket())).toBe(true)
    expect(inWorld.some((path) => lstatSync(path).isFIFO())).toBe(true)
    for (const path of [...inWorld, join(root, 'not/there'), ...elsewhere]) {
      const look = walls.access(path, 'look', place)
      const work = walls.access(path, 'work', place)
      const seen = { ...work, kind: work.kind === 'hidden' ? 'hidden' : expect.stringMatching(/^(readonly|writable)$/) }
      expect({ path, look }).toEqual({ path, look: seen })
      // Nothing of the workspace can be written by a command that only looks.
      if (path === root || path.startsWith(`${root}/`)) expect(look.kind).not.toBe('writable')
    }
    expect(walls.access(join(root, '.vscode/settings.json'), 'work', place).kind).toBe('readonly')
    expect(walls.access(join(root, 'src/new.txt'), 'work', place).kind).toBe('writable')
  },
)
