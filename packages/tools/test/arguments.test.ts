import { expect, test } from 'vitest'
import * as z from 'zod'
import { localTools } from '../src/index.ts'

const tools = localTools({ root: '.' })

test.each(tools)('the arguments of $name can be told to a model, and what each is for', ({ input, description }) => {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' })
  expect(description.length).toBeGreaterThan(40)
  for (const [name, property] of Object.entries(properties)) {
    expect([name, typeof property === 'object' ? property.description : undefined]).toEqual([name, expect.any(String)])
  }
})

test('every argument that is known under other names is one that its tool takes', () => {
  for (const { name, input, aliases } of tools) {
    const known = Object.keys(z.toJSONSchema(input, { io: 'input' }).properties ?? {})
    const named = [aliases?.main ?? 'none', ...Object.keys(aliases?.arguments ?? {})]
    expect([name, named.filter((key) => !known.includes(key))]).toEqual([name, []])
  }
})

test('no alias stands for two tools', () => {
  const all = tools.flatMap(({ name, aliases }) => [name, ...(aliases?.names ?? [])].map((one) => JSON.stringify(one)))
  expect(all.length).toBeGreaterThan(80)
  expect(new Set(all.map((one) => one.toLowerCase().replaceAll(/[_-]/g, ''))).size).toBe(all.length)
})
