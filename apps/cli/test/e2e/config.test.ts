import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stage } from './stage/stage.ts'

const noModel = { environment: { LOADER_MODEL: '' } }

describe('loader config', () => {
  test('sets, gets and takes back a setting in the file of the user', async () => {
    await using one = await stage()
    const file = join(one.config, 'settings.json')
    const set = await one.runHere(['config', 'set', 'limits.maxIterations', '12'], noModel)
    expect(set).toMatchObject({ code: 0, stdout: `limits.maxIterations is 12 now, in ${file}\n` })
    expect(readFileSync(file, 'utf8')).toBe('{\n  "limits": {\n    "maxIterations": 12\n  }\n}\n')
    expect(await one.runHere(['config', 'set', 'model', 'ollama/qwen3:8b'], noModel)).toMatchObject({ code: 0 })
    expect(await one.runHere(['config', 'get', 'model'], noModel)).toMatchObject({ stdout: 'ollama/qwen3:8b\n' })
    expect(await one.runHere(['config', 'unset', 'limits.maxIterations'], noModel)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/taken out of .*; \d+ holds now \(default\)/),
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ model: 'ollama/qwen3:8b' })
    expect(await one.runHere(['config', 'unset', 'limits.maxIterations'], noModel)).toMatchObject({ code: 2 })
  })

  test('says what keeps a value from holding', async () => {
    await using one = await stage()
    const set = await one.runHere(['config', 'set', 'model', 'ollama/qwen3:8b'])
    expect(set.stdout).toContain('It does not hold here: LOADER_MODEL says otherwise.')
    const project = await one.runHere(['config', 'set', '--project', 'permissionMode', 'allow'])
    expect(project.stdout).toMatch(/It does not hold here: this project is not trusted/)
    expect(existsSync(one.path('.loader/settings.json'))).toBe(true)
  })

  test.for([
    [['set', 'modle', 'x'], /There is no setting "modle"\. Did you mean model\?/],
    [['set', 'limits.maxIterations', 'many'], /limits\.maxIterations was not changed/],
    [['set', 'permissionMode', 'yolo'], /permissionMode was not changed/],
    [['set', 'limits', '{}'], /There is no setting "limits"/],
    [['set', 'providers.mine', '{"api":"nonsense"}'], /providers\.mine was not changed/],
    [['get', 'nothing'], /There is no setting "nothing"/],
    [['set', 'model'], /needs <value>/],
  ] as const)('refuses %j, and writes nothing', async ([words, why]) => {
    await using one = await stage()
    const ended = await one.runHere(['config', ...words])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(why)
    expect(existsSync(join(one.config, 'settings.json'))).toBe(false)
  })

  test('leaves a file alone that it cannot understand', async () => {
    await using one = await stage()
    one.write('../config/settings.json', '{ "model": "a/b", // mine\n}')
    const ended = await one.runHere(['config', 'set', 'model', 'c/d'])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(/Mend the file first/)
    expect(readFileSync(join(one.config, 'settings.json'), 'utf8')).toBe('{ "model": "a/b", // mine\n}')
  })

  test('sets a text where the setting is one, though it reads like a number', async () => {
    await using one = await stage()
    expect(await one.runHere(['config', 'set', 'model', '7'])).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(join(one.config, 'settings.json'), 'utf8'))).toEqual({ model: '7' })
  })
})
