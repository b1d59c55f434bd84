import { expect, test } from 'vitest'
import * as z from 'zod'
import { canonicalCall, localTools } from '../src/index.ts'
import { toolAliases } from '../src/calls/tool-aliases.ts'

const tools = localTools({ root: '.' })

test.each(tools)('the arguments of $name can be told to a model, and what each is for', ({ input, description }) => {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' })
  expect(description.length).toBeGreaterThan(40)
  for (const [name, property] of Object.entries(properties)) {
    expect([name, typeof property === 'object' ? property.description : undefined]).toEqual([name, expect.any(String)])
  }
})

test('every argument that is known under other names is one that its tool takes', () => {
  for (const { name, input } of tools) {
    const known = Object.keys(z.toJSONSchema(input, { io: 'input' }).properties ?? {})
    expect([name, Object.keys(toolAliases[name]?.arguments ?? {}).filter((key) => !known.includes(key))]).toEqual([
      name,
      [],
    ])
  }
  expect(Object.keys(toolAliases).sort()).toEqual(tools.map(({ name }) => name).sort())
})

test('no other name stands for two tools', () => {
  for (const [name, { names }] of Object.entries(toolAliases)) {
    expect(names.map((other) => canonicalCall(other, {}).name)).toEqual(names.map(() => name))
  }
})
