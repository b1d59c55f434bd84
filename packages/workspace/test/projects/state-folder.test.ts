import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { stateFolder } from '../../src/index.ts'

test.for([
  [{ LOADER_STATE: '/own', XDG_STATE_HOME: '/xdg' }, 'linux', '/own'],
  [{ LOADER_STATE: 'own' }, 'linux', resolve('own')],
  [{ LOADER_STATE: '', XDG_STATE_HOME: '/xdg' }, 'linux', '/xdg/loader'],
  [{ XDG_STATE_HOME: 'relative' }, 'linux', join(homedir(), '.local/state/loader')],
  [{}, 'linux', join(homedir(), '.local/state/loader')],
  [{}, 'darwin', join(homedir(), 'Library/Application Support/loader')],
  [{ LOCALAPPDATA: '/local' }, 'win32', '/local/loader'],
  [{}, 'win32', join(homedir(), 'AppData/Local/loader')],
] as const)('with %j on %s the state folder is %s', ([variables, platform, folder]) => {
  expect(stateFolder(variables, platform)).toBe(folder)
})
