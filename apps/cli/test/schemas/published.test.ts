import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { commands, main } from '../../src/commands/table.ts'
import { otherSchemas, publishedSchemas } from '../../src/schemas/published.ts'
import { loader } from '../written/fake-console.ts'

const lines = [
  ['config', ['config', '--json']],
  ['config-list', ['config', 'list', '--json']],
  ['config-get', ['config', 'get', 'model', '--json']],
  ['permissions-list', ['permissions', 'list', '--json']],
  ['permissions-explain', ['permissions', 'explain', 'git push', '--json']],
  ['models', ['models', '--json']],
] as const

describe('every field that is printed as JSON is described', () => {
  test.for(lines)('%s', async ([name, words]) => {
    await using workspace = await temporaryWorkspace({
      files: {
        'config/settings.json':
          '{ "model": "a/b", "providers": { "a": { "api": "openai", "baseUrl": "http://me:secret@host/v1" } } }',
        '.loader/settings.json': '{ "model": "c/d", "permissionMode": "allow" }',
        '.loader/permission-rules.json': '{ "deny": ["Bash(git push:*)"], "allow": ["Read"] }',
      },
    })
    const environment = { OLLAMA_HOST: 'http://127.0.0.1:9' }
    const { out, code } = await loader(words, { folder: workspace.root, environment })
    expect(code).toBe(0)
    const value: unknown = JSON.parse(out)
    expect(otherSchemas[name].parse(value)).toEqual(value)
    expect(out).not.toContain('secret')
  })
})

test('every command that can print JSON, and every form of a run, has a published schema', () => {
  const withJson = commands.filter(({ options }) => options.some(({ name }) => name === 'json'))
  const formats = main.options.find(({ name }) => name === 'output-format')?.choices ?? []
  expect(Object.keys(publishedSchemas())).toEqual(
    expect.arrayContaining([
      ...withJson.map(({ name }) => name.replaceAll(' ', '-')),
      ...formats.filter((format) => format !== 'text').map((format) => `run-${format}`),
    ]),
  )
})

describe('config', () => {
  test('shows each value with its source, and what does not hold with the reason', async () => {
    await using workspace = await temporaryWorkspace({
      files: {
        'config/settings.json': '{ "model": "a/b", "limits": { "maxIterations": 7 } }',
        '.loader/settings.json': '{ "model": "c/d", "compaction": "model" }',
      },
    })
    const { out } = await loader(['config', '--json'], { folder: workspace.root, environment: { LOADER_MODEL: 'e/f' } })
    const { settings, project, files } = otherSchemas.config.parse(JSON.parse(out))
    const row = (name: string) => settings.find((setting) => setting.name === name)
    expect(row('model')).toMatchObject({
      value: 'e/f',
      source: 'LOADER_MODEL',
      others: [
        {
          value: 'c/d',
          source: workspace.path('.loader/settings.json'),
          ignored: expect.stringMatching(/not trusted/),
        },
        { value: 'a/b', source: workspace.path('config/settings.json'), ignored: null },
      ],
    })
    expect(row('limits.maxIterations')).toMatchObject({ value: 7, source: workspace.path('config/settings.json') })
    expect(row('limits.maxAttempts')).toMatchObject({ value: 5, source: 'default' })
    expect(row('compaction')).toMatchObject({ value: 'model' })
    expect(project).toEqual({ root: workspace.root, trusted: false })
    expect(files.map(({ isThere }) => isThere)).toEqual([true, true, false])
    const { out: shown } = await loader(['config'], { folder: workspace.root, columns: 160 })
    expect(shown).toMatch(/^limits\.maxIterations +7 +/m)
  })
})
