import { temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import type { Places } from '../../src/places/places.ts'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { setTrust } from '../../src/settings/trust.ts'

async function project(
  files: Readonly<Record<string, object | string>>,
): Promise<TemporaryWorkspace & { places: Pick<Places, 'root' | 'config'> }> {
  const written = Object.entries(files).map(([path, value]) => [
    path,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const workspace = await temporaryWorkspace({ files: { 'project/a.txt': '', ...Object.fromEntries(written) } })
  const root = workspace.path('project')
  return { ...workspace, places: { root, config: workspace.path('config') } }
}

const user = 'config/settings.json'
const shared = 'project/.loader/settings.json'
const local = 'project/.loader/settings.local.json'

test('the strongest layer that has a value decides, limit by limit and provider by provider', async () => {
  const provider = { api: 'openai-compatible', baseUrl: 'http://a/v1' }
  await using one = await project({
    [user]: {
      model: 'ollama/user',
      limits: { maxIterations: 1, maxAttempts: 1 },
      providers: { a: provider, 'b.c': provider },
    },
    [shared]: { model: 'ollama/shared', limits: { maxIterations: 2 }, compaction: 'model' },
    [local]: { limits: { maxNudges: 3 }, providers: { a: { ...provider, baseUrl: 'http://b/v1' } } },
  })
  setTrust(one.places.config, one.places.root, 'trusted')
  const flags = ['limits.maxIterations=4', 'instructions=false']
  const { settings, origins } = loadSettings(one.places, { flags, environment: { LOADER_MODEL: 'ollama/variable' } })
  expect(settings).toEqual({
    model: 'ollama/variable',
    limits: { maxIterations: 4, maxAttempts: 1, maxNudges: 3 },
    providers: { a: { ...provider, baseUrl: 'http://b/v1' }, 'b.c': provider },
    compaction: 'model',
    instructions: false,
  })
  const sources = origins
    .filter(({ name }) => name === 'limits.maxIterations')
    .map(({ value, source }) => [value, source])
  expect(sources).toEqual([
    [4, '--config'],
    [2, one.path(shared)],
    [1, one.path(user)],
  ])
})

describe('a project that is not trusted', () => {
  test.for([
    [{ model: 'openai/gpt' }, {}],
    [{ providers: { a: { api: 'openai', baseUrl: 'http://elsewhere/v1' } } }, {}],
    [{ permissionMode: 'danger-full-access' }, {}],
    [{ permissionMode: 'prompt' }, {}],
    [{ permissionMode: 'read-only' }, { permissionMode: 'read-only' }],
    [{ limits: { maxIterations: 1_000 } }, {}],
    [{ completionCheck: false }, {}],
    [{ instructions: true }, {}],
    [{ instructions: false }, { instructions: false }],
    [
      { compaction: 'model', contextWindow: 8_192, nativeTools: false },
      { compaction: 'model', contextWindow: 8_192, nativeTools: false },
    ],
  ] as const)('%j sets %j', async ([written, holding]) => {
    for (const file of [shared, local]) {
      await using one = await project({ [file]: written })
      const { settings, trusted, origins } = loadSettings(one.places)
      expect({ settings, trusted }).toEqual({ settings: holding, trusted: false })
      const ignored = origins.filter((origin) => origin.ignored !== undefined)
      expect(ignored.length === 0).toBe(Object.keys(holding).length > 0)
      setTrust(one.places.config, one.places.root, 'trusted')
      expect(loadSettings(one.places).settings).toEqual(written)
      setTrust(one.places.config, one.places.root, 'not trusted')
      expect(loadSettings(one.places).settings).toEqual(holding)
    }
  })

  test('cannot say that it is trusted', async () => {
    await using one = await project({
      [shared]: { permissionMode: 'allow' },
      'project/.loader/trusted.json': { folders: ['/'] },
    })
    expect(loadSettings(one.places)).toMatchObject({ settings: {}, trusted: false })
  })
})

describe('what is not valid names file, line and key', () => {
  test.for([
    ['{\n  "modell": "x"\n}', /settings\.json:2: modell: not known/],
    ['{\n  "limits": {\n    "maxIterations": "many"\n  }\n}', /settings\.json:3: limits\.maxIterations: .*expected/],
    ['{\n  "permissionMode": "yolo"\n}', /settings\.json:2: permissionMode: .*read-only/],
    ['{ "model": "a/b", }', /settings\.json:1: this is not JSON: a key in quotes was expected/],
    ['[]', /settings\.json:1: the file: /],
    ['{\n  "walls": {\n    "readable": "x"\n  }\n}', /settings\.json:3: walls\.readable: .*expected array/],
    ['{ "walls": { "lend": ["x"] } }', /: walls\.lend\.0: .*"ssh-agent"/],
    ['{ "walls": "none" }', /: walls: .*"required"\|"off"/],
  ] as const)('%j', async ([text, message]) => {
    for (const file of [user, shared]) {
      await using one = await project({ [file]: text })
      expect(() => loadSettings(one.places)).toThrow(message)
    }
  })

  test.for([
    [['maxIterations'], /not of the form key=value/],
    [['maxTurns=3'], /--config maxTurns: not known\. Known here: model, thinking, /],
    [['limits.maxTurns=3'], /--config limits\.maxTurns: not known\. Known here: maxIterations, /],
    [['timeOuts.first=3'], /--config timeOuts\.first: not known\. Known here: firstByteMs, betweenChunksMs\.$/],
    [['limits.maxIterations=many'], /--config limits\.maxIterations: [^.]*expected number[^.]*\.$/],
    [['__proto__=1'], /--config __proto__: not known/],
    [['__proto__.polluted=1'], /--config __proto__: not known/],
    [['limits.__proto__.polluted=1'], /--config limits\.__proto__: not known/],
  ] as const)('--config %j', async ([flags, message]) => {
    await using one = await project({})
    expect(() => loadSettings(one.places, { flags })).toThrow(message)
    expect(Reflect.get({}, 'polluted')).toBe(undefined)
  })
})
