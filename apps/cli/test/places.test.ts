import { chmodSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { configFolder, projectRoot } from '../src/places/places.ts'

describe('the root of a project', () => {
  test('is the nearest folder upwards with sessions or a repository', async () => {
    await using one = await temporaryWorkspace({
      files: { 'a/.git/HEAD': '', 'a/b/c/x': '', 'a/d/.loader/x': '', 'a/d/e/x': '' },
    })
    expect(projectRoot(one.path('a/b/c'))).toBe(one.path('a'))
    expect(projectRoot(one.path('a/d/e'))).toBe(one.path('a/d'))
    expect(projectRoot(one.path('a'))).toBe(one.path('a'))
  })

  test('is the folder itself where there is neither, and where only a folder that all may write to has one', async () => {
    await using one = await temporaryWorkspace({ files: { 'open/.loader/x': '', 'open/mine/x': '', 'plain/x': '' } })
    chmodSync(one.path('open'), 0o777)
    expect(projectRoot(one.path('plain'))).toBe(one.path('plain'))
    expect(projectRoot(one.path('open/mine'))).toBe(one.path('open/mine'))
    expect(projectRoot(one.path('open'))).toBe(one.path('open'))
  })
})

test.for([
  [{ LOADER_CONFIG_DIR: '/own', XDG_CONFIG_HOME: '/xdg' }, '/own'],
  [{ XDG_CONFIG_HOME: '/xdg' }, '/xdg/loader'],
  [{ XDG_CONFIG_HOME: 'relative' }, join(homedir(), '.config', 'loader')],
  [{}, join(homedir(), '.config', 'loader')],
] as const)('with %j the user keeps settings in %s', ([environment, folder]) => {
  expect(configFolder(environment)).toBe(folder)
})
