import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { knownProviders, type ProviderApi } from '@loader/backends'
import { call, line } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type Ended, stage } from '../e2e/stage/stage.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const hex = '0123456789abcdef'
const url = `${letters}-_`

/** How keys of a provider look: what they begin with, how long the rest is, and of which characters. */
const forms: Readonly<Record<string, readonly (readonly [prefix: string, length: number, characters: string])[]>> = {
  anthropic: [['sk-ant-api03-', 95, url]],
  openai: [
    ['sk-proj-', 156, url],
    ['sk-', 48, letters],
    ['sk-svcacct-', 120, url],
  ],
  google: [
    ['AIza', 35, url],
    ['AQ.', 50, url],
  ],
  openrouter: [['sk-or-v1-', 64, hex]],
  groq: [['gsk_', 52, letters]],
  mistral: [['', 32, letters]],
  deepseek: [['sk-', 32, hex]],
  xai: [['xai-', 80, letters]],
  together: [
    ['', 64, hex],
    ['tgp_v1_', 43, url],
  ],
  fireworks: [['fw_', 24, letters]],
  cerebras: [['csk-', 48, letters.toLowerCase()]],
  ollama: [['', 56, `${url}.`]],
  lmstudio: [['', 24, letters]],
  llamacpp: [['', 24, `${letters}+/=`]],
  vllm: [['token-', 12, letters]],
  azure: [
    ['', 32, hex],
    ['', 84, letters],
  ],
  vertex: [['AIza', 35, url]],
  bedrock: [['ABSK', 128, `${letters}+/`]],
}

/** Interfaces that a strict server has; others are spoken to as the most usual one. */
const strict: ReadonlySet<ProviderApi> = new Set(['anthropic', 'openai', 'google', 'ollama', 'openai-compatible'])

const cases = knownProviders
  .filter(({ keyVariables }) => keyVariables.length > 0)
  .flatMap(({ name, api, keyVariables, secretVariables = [] }) =>
    (forms[name] ?? []).map(([prefix, length, characters]) => {
      const rest = [...randomBytes(length)].map((byte) => characters[byte % characters.length])
      const variables = [...keyVariables, ...secretVariables]
      return { name, api: strict.has(api) ? api : 'openai-compatible', variables, key: prefix + rest.join('') }
    }),
  )

/** The ways in which a text can hold a key. */
function written(key: string): readonly string[] {
  const asJson = JSON.stringify(key).slice(1, -1)
  return [
    key,
    encodeURIComponent(key),
    asJson,
    Buffer.from(key).toString('base64').replace(/=+$/, ''),
    key.slice(0, -4),
  ]
}

/** Every file below a folder that holds one of the texts. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name)
    if (!statSync(path).isFile()) return false
    const content = readFileSync(path, 'latin1')
    return texts.some((text) => content.includes(text))
  })
}

test('every provider that has a key has a form of keys here', () => {
  const named = knownProviders.filter(({ keyVariables }) => keyVariables.length > 0).map(({ name }) => name)
  expect(named.filter((name) => forms[name] === undefined)).toEqual([])
})

const exports = ['json', 'md', 'html'].map((format) => `export --format ${format}`)

describe.each(sample(cases, { quick: 2, ci: 10 }))('a key of $name ($key)', ({ name, api, variables, key }) => {
  test('is in no output, title, log, export or error, and no command gets it', async () => {
    await using at = await stage(
      line('I look around.', call('bash', { command: 'env; export -p; cat /proc/self/environ' })),
      line('I have looked.'),
      { fault: { type: 'throw', kind: 'bad_request', message: `Key ${key} (${encodeURIComponent(key)}) is bad.` } },
      { fault: { type: 'throw', kind: 'auth', message: `Incorrect API key provided: ${key}` }, repeat: 'any' },
    )
    const baseUrl = ['anthropic', 'google', 'ollama'].includes(api) ? at.server.url : `${at.server.url}/v1`
    const settings = ['--config', `providers=${JSON.stringify({ [name]: { api, baseUrl } })}`]
    const secrets = Object.fromEntries(variables.map((variable) => [variable, key]))
    const environment = { ...secrets, LOADER_MODEL: `${name}/scripted` }
    const ask = (task: string, ...more: string[]) =>
      at.runHere(['-p', task, '--permission-mode', 'danger-full-access', ...settings, ...more], { environment })
    const ran = [
      await ask('Look around', '--output-format', 'stream-json'),
      await ask('Look again', '--output-format', 'json'),
      await ask('And again'),
    ]
    expect(ran.map(({ code }) => code === 0)).toEqual([true, false, false])
    const commands = ['show', 'show --json', 'timeline', 'why', 'usage', 'status', 'sessions', 'models', 'config']
    for (const words of [...commands, ...exports])
      ran.push(await at.runHere([...words.split(' '), ...settings], { environment }))
    const texts = written(key)
    const tells = ({ stdout, stderr }: Ended) => texts.some((text) => `${stdout}${stderr}`.includes(text))
    expect(ran.filter(tells)).toEqual([])
    for (const folder of [at.state, at.project]) expect(filesWith(folder, texts)).toEqual([])
    // What somebody says is theirs to say, but leaves the machine only as a mark.
    await ask(`Keep this: ${key}`)
    for (const words of exports) expect(tells(await at.runHere(words.split(' '), { environment }))).toBe(false)
  })
})
