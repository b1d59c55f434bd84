import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { withRules } from '../../scripts/wire-rules.ts'
import { wireServer } from '../../src/wire.ts'
import { aiSdkTalkers } from './talkers/ai-sdk.ts'

const document = readFileSync(new URL('../../../../docs/wire-server.md', import.meta.url), 'utf8')

describe('docs/wire-server.md', () => {
  test('lists the rules as `pnpm run docs` writes them now', () => {
    expect(document).toBe(withRules(document))
  })

  test('names no path that the server does not have', async () => {
    await using server = await wireServer({ lines: [] })
    const named = document.matchAll(/`(\/(?:v1|v1beta|api|__journal)\b[\w/:]*)`/g)
    const paths = [...new Set([...named].map(([, path = '']) => path))].filter(
      (path) => !/^\/(v1|v1beta|v1alpha)$/.test(path),
    )
    expect(paths.length).toBeGreaterThan(12)
    const answers = await Promise.all(
      paths.flatMap((path) => ['GET', 'POST'].map((method) => fetch(`${server.url}${path}`, { method }))),
    )
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    const missing = paths.filter((_path, at) =>
      texts.slice(at * 2, at * 2 + 2).every((text) => text.includes('unknown_url')),
    )
    expect(missing).toEqual([])
  })

  test('names the clients, in their versions, that the tests run against the server', () => {
    const { devDependencies } = manifest
    const names = ['openai', '@anthropic-ai/sdk', '@google/genai', 'ollama', 'ai'] as const
    for (const name of names)
      expect(document).toContain(`${name} ${devDependencies[name].split('.').slice(0, 2).join('.')}`)
    expect(names.map((name) => devDependencies[name])).toEqual(names.map(() => expect.stringMatching(/^\d/)))
    expect(aiSdkTalkers.length).toBeGreaterThanOrEqual(6)
  })
})
