import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { call, line } from '@loader/test-harness'
import { sample } from '@loader/test-tier'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { stage } from '../e2e/stage/stage.ts'

const folder = fileURLToPath(
  new URL('../../../../packages/foreign-sessions/test/fixtures/claude-code', import.meta.url),
)
const sessions = ['three-turns', 'denied', 'interrupted-waiting', 'compacted', 'fork/parent', 'fork/child']

interface Thought {
  readonly type: 'thinking'
  readonly thinking: string
  signature: string
}

/** The thoughts in what a session of Claude Code or a request holds. */
function thoughtsIn(value: unknown): Thought[] {
  if (typeof value !== 'object' || value === null) return []
  const isThought = 'type' in value && value.type === 'thinking' && 'signature' in value
  return isThought ? [value as Thought] : Object.values(value).flatMap(thoughtsIn)
}

/** A session of Claude Code, its thoughts signed as the strict server signs them. */
function signed(name: string): { readonly text: string; readonly thoughts: ReadonlySet<string> } {
  const records: unknown[] = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text))
  const thoughts = thoughtsIn(records)
  for (const thought of thoughts) thought.signature = createHash('sha256').update(thought.thinking).digest('base64')
  return {
    text: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    thoughts: new Set(thoughts.map(({ thinking }) => thinking)),
  }
}

test.each(sample(sessions, { quick: 2 }))(
  'the thoughts of a session of Claude Code (%s) go on to Claude with their signatures, and to nobody else',
  async (name) => {
    const look = line('I look.', call('glob', { pattern: '*' }))
    await using at = await stage(look, line('That is all.'), line('I have looked, too.'))
    const { text, thoughts } = signed(name)
    expect(thoughts.size).toBeGreaterThan(0)
    at.write('claude.jsonl', text)
    const imported = await at.runHere(['import', 'claude.jsonl', '--json'])
    const { id } = z.looseObject({ id: z.string() }).parse(JSON.parse(imported.stdout))
    const providers = {
      anthropic: { api: 'anthropic', baseUrl: at.server.url },
      openai: { api: 'openai', baseUrl: `${at.server.url}/v1` },
    }
    const environment = { ANTHROPIC_API_KEY: 'sk-scripted', OPENAI_API_KEY: 'sk-scripted' }
    const goOn = (model: string, task: string) =>
      at.runHere(
        [
          '-p',
          task,
          '--resume',
          id,
          '-m',
          model,
          '--thinking',
          'high',
          '--permission-mode',
          'allow',
          '--config',
          `providers=${JSON.stringify(providers)}`,
        ],
        { environment },
      )
    expect(await goOn('anthropic/claude-sonnet-4-5', 'Look around')).toMatchObject({ code: 0 })
    const sent = thoughtsIn(at.server.requests[0]?.body)
    // A summary has taken all of them with what stood around them.
    const expected = name === 'compacted' ? new Set() : thoughts
    expect(new Set(sent.map(({ thinking }) => thinking))).toEqual(expected)
    expect(await goOn('openai/gpt-5.1', 'Look again')).toMatchObject({ code: 0 })
    expect(JSON.stringify(at.server.requests.at(-1)?.body)).not.toContain([...thoughts][0])
    expect(at.server.requests.map(({ status }) => status)).toEqual(at.server.requests.map(() => 200))
    at.server.assertDone()
  },
)
