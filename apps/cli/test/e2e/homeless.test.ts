import { line } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { stage } from './stage/stage.ts'

/** The system knows no user of this number, as in a container that runs as one. */
const unknownUser = `
  import os from 'node:os'
  import { syncBuiltinESMExports } from 'node:module'
  os.homedir = os.userInfo = () => {
    throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' })
  }
  syncBuiltinESMExports()
`
const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(unknownUser)}` }

test('without a home folder the command starts, works where it is told a place, and else says what to set', async () => {
  await using one = await stage(line('Here I am.'))
  expect(await one.runBuilt(['--version'], { environment })).toMatchObject({ code: 0, stderr: '' })
  expect(await one.runBuilt(['-p', 'Hello!'], { environment })).toMatchObject({ code: 0, stdout: 'Here I am.\n' })
  const nowhere = await one.runBuilt(['-p', 'Hello!'], { environment: { ...environment, LOADER_STATE: '' } })
  expect(nowhere).toMatchObject({ code: 2, stdout: '' })
  expect(nowhere.stderr).toMatch(/Set HOME or LOADER_STATE\./)
  const lost = await one.runBuilt(['config'], { environment: { ...environment, LOADER_CONFIG_DIR: '' } })
  expect(lost).toMatchObject({ code: 2, stdout: '' })
  expect(lost.stderr).toMatch(/Set HOME or LOADER_CONFIG_DIR\.\n$/)
})

test("with an empty HOME, nothing in a project passes for the user's own", async () => {
  await using one = await stage()
  one.write('.config/loader/settings.json', '{ "model": "stranger/model" }')
  const { stdout } = await one.run(['config'], { environment: { HOME: '', LOADER_CONFIG_DIR: '' } })
  expect(stdout).not.toContain('stranger/model')
})
