import { Ajv2020 } from 'ajv/dist/2020.js'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { jsonSchemas } from '../../scripts/json-schemas.ts'
import { call, line } from '../../src/index.ts'
import { type WireLine, WireScript, WireScripts } from '../../src/wire.ts'

const good: readonly WireLine[] = [
  {},
  line('Hello.', call('read', { path: 'a' })),
  { text: 'Slow.', chunks: 'word', fault: { type: 'drip', delayMs: 5 }, repeat: 2 },
  { text: 'Fixed.', when: { lastResult: 'failed', lastUser: { matches: '^fix' }, system: null, model: 'm' } },
  { text: 'A title.', when: { system: 'title' }, repeat: 'any' },
  { text: 'Torn.', wire: { bytesPerWrite: 1, fault: { type: 'cut_bytes', after: 30 } } },
  { text: 'Broken.', wire: { fault: { type: 'malformed_event', raw: '{' } } },
]

/** What both the code and the JSON Schema refuse. */
const bad: readonly unknown[] = [
  { txt: 'a typing error' },
  { text: 'a', repeat: 0 },
  { text: 'a', when: { lastWord: 'b' } },
  { text: 'a', when: { lastUser: '' } },
  { text: 'a', wire: { fault: { type: 'cut_bytes' } } },
  { text: 'a', wire: { bytesPerWrite: 0 } },
  { content: [], text: 'beside it' },
]

describe('the JSON Schema of a script for a server', () => {
  const isScript = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(jsonSchemas()['wire-script'] ?? false)

  test('takes the same scripts as the code, alone or several by name', () => {
    const script: WireScript = {
      $schema: './wire-script.schema.json',
      lines: good,
      key: 'sk-ann',
      order: 'conversation',
      models: [{ id: 'm', contextWindow: 4096, capabilities: ['tools'] }],
      rules: { endsWithUser: 'on' },
    }
    for (const one of [script, { scripts: { ann: script, bob: { lines: [] } } }]) {
      isScript(one)
      expect(isScript.errors).toBeNull()
    }
    expect(WireScript.parse(script)).toEqual(script)
    expect(WireScripts.safeParse({ scripts: { ann: script } }).success).toBe(true)
  })

  test.each(bad)('refuses the line %j', (wrong) => {
    expect(isScript({ lines: [wrong] })).toBe(false)
    expect(WireScript.safeParse({ lines: [wrong] }).success).toBe(false)
  })

  test.each(['v1', 'api', '', 'a b', '../a'])('refuses %j as the name of a script', (name) => {
    const scripts = { scripts: { [name]: { lines: [] } } }
    expect(isScript(scripts)).toBe(false)
    expect(WireScripts.safeParse(scripts).success).toBe(false)
  })

  test('takes the script of the example in the documentation', () => {
    const page = readFileSync(new URL('../../../../docs/wire-server.md', import.meta.url), 'utf8')
    const examples = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) => JSON.parse(text))
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      isScript(example)
      expect(isScript.errors).toBeNull()
    }
  })
})
