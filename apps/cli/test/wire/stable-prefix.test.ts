import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { sample } from '@loader/test-tier'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { protocols } from './stage/protocols.ts'
import { Scene } from './stage/scene.ts'

const turns = 50
const least = 0.9

/** What a body has in it, in the order in which every provider reads it: tools, instructions, messages. */
const Body = z.looseObject({
  tools: z.unknown().optional(),
  system: z.unknown().optional(),
  instructions: z.unknown().optional(),
  systemInstruction: z.unknown().optional(),
  messages: z.array(z.unknown()).optional(),
  input: z.array(z.unknown()).optional(),
  contents: z.array(z.unknown()).optional(),
})

/** The prompt of a request in bytes. Marks are no part of it. */
function promptOf(body: unknown): string {
  const { tools, system, instructions, systemInstruction, messages, input, contents } = Body.parse(body)
  const list = [tools, system, instructions, systemInstruction, ...(messages ?? input ?? contents ?? [])]
  return list
    .map((part) => JSON.stringify(part, (key, value: unknown) => (key === 'cache_control' ? undefined : value)))
    .join('\n')
}

function commonBytes(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

/** A turn that looks at a file and, each third time, changes one. */
function linesOf(turn: number): WireLine[] {
  const name = `note-${turn}.txt`
  const look = line(`I look at ${name}.`, call('read', { file_path: name }))
  const change = line(`I write it down.`, call('write', { file_path: `out-${turn}.txt`, content: `${turn}\n` }))
  return [look, ...(turn % 3 === 0 ? [change] : []), line(`${name} is about ${turn}.`)]
}

test.each(sample(protocols, { quick: 2, ci: 3 }))(
  'most of what is sent over %s was sent before, byte for byte',
  async (protocol) => {
    const numbers = Array.from({ length: turns }, (_, at) => at + 1)
    const files = Object.fromEntries(numbers.map((turn) => [`note-${turn}.txt`, `This is about ${turn}. `.repeat(20)]))
    await using scene = await Scene.set({ protocol, files, lines: numbers.flatMap(linesOf) })
    for (const turn of numbers) {
      const change = turn % 3 === 0 ? ` and write its number into out-${turn}.txt` : ''
      await scene.agent.run(`Read note-${turn}.txt${change}`)
    }
    scene.server.assertDone()
    const prompts = scene.server.requests.map(({ body }) => promptOf(body))
    const again = prompts.map((prompt, at) => commonBytes(prompt, prompts[at - 1] ?? ''))
    const all = prompts.reduce((sum, prompt) => sum + prompt.length, 0)
    const share = again.reduce((sum, bytes) => sum + bytes, 0) / all
    expect(share).toBeGreaterThanOrEqual(least)
  },
)
