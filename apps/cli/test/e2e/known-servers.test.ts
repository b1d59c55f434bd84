import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { line } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type Stage, stage } from './stage/stage.ts'

const models = ['ollama/scripted', 'mine/scripted']

/** A stage on which both protocols lead to the same strict server. */
async function bothProtocols(): Promise<Stage> {
  const one = await stage({ ...line('Here I am.'), repeat: 'any' })
  const providers = { mine: { api: 'openai-compatible', baseUrl: `${one.server.url}/v1` } }
  writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ providers }))
  return one
}

/** What the server was asked before the first request to the model. */
function askedBefore(one: Stage, from: number): string[] {
  const exchanges = one.server.journal().exchanges.slice(from)
  const first = exchanges.findIndex(({ number }) => number !== undefined)
  expect(first).toBeGreaterThanOrEqual(0)
  return exchanges.slice(0, first).map(({ path }) => path)
}

async function ask(one: Stage, model: string, environment: Readonly<Record<string, string>> = {}) {
  const from = one.server.journal().exchanges.length
  const ended = await one.runBuilt(['-p', 'Hello!', '-m', model], { environment })
  expect(ended).toMatchObject({ code: 0, stdout: 'Here I am.\n', stderr: '' })
  return askedBefore(one, from)
}

describe.each(sample(models, { quick: 1 }))('%s', (model) => {
  test('the first start asks the server what it is, the second one does not', async () => {
    await using one = await bothProtocols()
    expect(await ask(one, model)).not.toEqual([])
    expect(await ask(one, model)).toEqual([])
    const kept = readFileSync(join(one.caches, 'loader', 'models.json'), 'utf8')
    expect(JSON.parse(kept).models).toHaveLength(1)
    rmSync(one.caches, { recursive: true })
    expect(await ask(one, model)).not.toEqual([])
  })

  test('settings that say everything have nothing asked', async () => {
    await using one = await bothProtocols()
    const settings = JSON.parse(readFileSync(join(one.config, 'settings.json'), 'utf8'))
    writeFileSync(
      join(one.config, 'settings.json'),
      JSON.stringify({ ...settings, contextWindow: 40_000, nativeTools: true }),
    )
    expect(await ask(one, model)).toEqual([])
  })
})

test('a folder for caches that cannot be used changes nothing', async () => {
  await using one = await bothProtocols()
  const inTheWay = one.path('in-the-way')
  writeFileSync(inTheWay, '')
  const sealed = join(one.config, 'sealed')
  mkdirSync(sealed)
  chmodSync(sealed, 0o500)
  const readOnly = process.platform === 'linux' ? ['/sys/none'] : []
  for (const caches of [inTheWay, join(sealed, 'caches'), ...readOnly]) {
    for (const _start of [1, 2]) await ask(one, 'ollama/scripted', { XDG_CACHE_HOME: caches })
  }
  expect(readFileSync(inTheWay, 'utf8')).toBe('')
})
