import { readFileSync } from 'node:fs'
import { Limits } from '@loader/session-core/coding'
import { line } from '@loader/test-harness'
import { defaultLimits } from '@loader/workflow'
import { describe, expect, test } from 'vitest'
import { AgentConfig } from '../src/index.ts'
import { parseConfig } from '../src/config.ts'
import { scene } from './scene/scene.ts'

const page = readFileSync(new URL('../../../docs/agent.md', import.meta.url), 'utf8')
const documented = new Map(
  [...page.matchAll(/^\| `(\w+)` +\| (.+?) +\|/gm)].map(([, name = '', value = '']) => [name, value] as const),
)

describe('settings', () => {
  test('none are needed', () => {
    expect(parseConfig({})).toEqual({})
  })

  test.each([
    { value: { permisionMode: 'prompt' }, message: 'permisionMode is not known' },
    { value: { maxIterations: 3 }, message: 'maxIterations is not known' },
    {
      value: { limits: { maxIteration: 3 } },
      message: 'limits.maxIteration is not known',
      known: /Known are: maxIterations, /,
    },
    {
      // It would have allowed every command.
      value: { rules: [{ permit: 'allow', tool: 'bash', command: 'npm test' }] },
      message: 'rules.0.command is not known',
      known: /Known are: permit, tool, .*pattern, /,
    },
    { value: { a: 1, b: 2 }, message: 'a, b is not known' },
    { value: { permissionMode: 'yolo' }, message: 'permissionMode: Invalid option' },
    { value: { limits: { maxIterations: -1 } }, message: 'limits.maxIterations: Too small' },
    { value: { contextWindow: '8k' }, message: 'contextWindow: Invalid input' },
    { value: { rules: [{ tool: 'bash' }] }, message: 'rules.0.permit: Invalid option' },
    { value: 'prompt', message: '(all of it): Invalid input' },
  ])('$message', ({ value, message, known = /Known are: permissionMode, .*contextWindow\.$/ }) => {
    const parse = () => parseConfig(value)
    expect(parse).toThrow(message)
    expect(parse).toThrow(known)
  })

  test('what is wrong is said before anything is begun', async () => {
    const config = { limit: {} } as AgentConfig
    await expect(scene({ config })).rejects.toThrow('limit is not known')
  })

  test('become the policy of the session, with defaults for what is absent', async () => {
    const limits = { maxIterations: 7, compactAtTokens: 9_000 }
    await using place = await scene({
      config: { limits, contextWindow: 8_192, compaction: 'model' },
      lines: [line('Hello.')],
    })
    await place.agent.run('hello')
    expect(place.agent.session.state?.policy).toMatchObject({
      permission: { mode: 'workspace-write', promptingEnabled: false, rules: [], rulesSource: null },
      limits: { ...defaultLimits, ...limits },
      model: { contextWindow: 8_192, nativeTools: true },
      compaction: 'model',
      audience: 'nobody',
    })
  })
})

describe('the page about settings', () => {
  test('has every setting', () => {
    expect([...documented.keys()]).toEqual(expect.arrayContaining(Object.keys(AgentConfig.shape)))
  })

  test('has every limit with its default', () => {
    const expected = Object.keys(Limits.shape).map((name) => {
      const value = name in defaultLimits ? defaultLimits[name as keyof typeof defaultLimits] : 'none'
      return [name, String(value)]
    })
    expect(expected.map(([name = '']) => [name, documented.get(name)])).toEqual(expected)
  })
})
