import { readFileSync, writeFileSync } from 'node:fs'
import { temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonSchemas, outputSchemas } from '../src/schemas/all.ts'
import { loader } from './written/fake-console.ts'
import { workedSession } from './written/worked-session.ts'
import { openSession, startedCall } from './written/written-session.ts'

/** How each output is got. */
const commands: Readonly<Record<keyof typeof outputSchemas, readonly string[]>> = {
  accept: ['accept', '--json'],
  check: ['check', '--json'],
  diff: ['diff', '--json'],
  doctor: ['doctor', '--json'],
  evidence: ['evidence', '--json'],
  export: ['export'],
  fork: ['fork', '--json'],
  import: ['import', 'export.json', '--json'],
  ledger: ['ledger', '--json'],
  'prompt-diff': ['prompt', 'diff', '--json'],
  'prompt-show': ['prompt', 'show', '--json'],
  ps: ['ps', '--json'],
  rewind: ['rewind', '--json'],
  sessions: ['sessions', '--json', '--search', 'hello'],
  'sessions-copy': [],
  show: ['show', '--json'],
  skills: ['skills', '--json'],
  status: ['status', '--json'],
  stop: [],
  timeline: ['timeline', '--json'],
  usage: ['usage', '--json'],
  verify: ['verify', '--json'],
  why: ['why', '--json'],
}
const changing = ['fork', 'check', 'import'] as const
/** They need a database, or a background command, and are described where there is one. */
const elsewhere = ['sessions-copy', 'stop'] as const
const reading = (Object.keys(commands) as (keyof typeof outputSchemas)[]).filter(
  (name) => ![...changing, ...elsewhere].some((other) => other === name),
)

async function expectDescribed(name: keyof typeof outputSchemas, workspace: TemporaryWorkspace): Promise<void> {
  const { out, code } = await loader(commands[name], { folder: workspace.root })
  expect(code).toBe(0)
  const value: unknown = JSON.parse(out)
  const parsed = outputSchemas[name].parse(value)
  // What the schema does not name is left out by parsing; events of an export are described elsewhere.
  if (name !== 'export') expect(parsed).toEqual(value)
}

describe('every field that is printed as JSON is described', () => {
  describe('after a task', () => {
    let workspace: TemporaryWorkspace
    beforeAll(async () => {
      workspace = await temporaryWorkspace()
      await workedSession(workspace)
      writeFileSync(workspace.path('export.json'), (await loader(['export'], { folder: workspace.root })).out)
    })
    afterAll(() => workspace.dispose())

    test.each(reading)('%s', async (name) => expectDescribed(name, workspace))

    // Each changes the session, or stores another one.
    test.each(sample(changing, { quick: 1 }))('%s', async (name) => expectDescribed(name, workspace))
  })

  test.each(sample(['show', 'why', 'status', 'usage', 'evidence', 'sessions'] as const, { quick: 2 }))(
    '%s, in the middle of a turn',
    async (name) => {
      await using workspace = await temporaryWorkspace()
      await using session = await openSession(workspace.root)
      await session.append(startedCall(1, 'bash', { command: 'echo hello' }))
      await session.save()
      await expectDescribed(name, workspace)
    },
  )
})

test('every output has a JSON Schema for programs in other languages, with its command in it', () => {
  for (const [name, schema] of Object.entries(jsonSchemas())) {
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' })
    expect(schema).toHaveProperty('description', expect.stringContaining(name.replace('-', ' ')))
  }
})

test('every field at the top of an output stands in the documentation', () => {
  const page = readFileSync(new URL('../../../docs/cli-sessions.md', import.meta.url), 'utf8')
  const section = page.slice(page.indexOf('## JSON'))
  for (const [name, schema] of Object.entries(outputSchemas)) {
    const row = section.split('\n').find((line) => line.startsWith(`| \`${name}\` `)) ?? ''
    for (const field of Object.keys(schema.shape))
      expect({ name, row }).toEqual({ name, row: expect.stringContaining(`\`${field}\``) })
  }
})
