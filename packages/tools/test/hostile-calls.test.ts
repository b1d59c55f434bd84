import { readdir, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Tool, ToolResult } from '@loader/session-core/coding'
import { sample } from '@loader/test-tier'
import { afterAll, describe, expect, test } from 'vitest'
import { bashTool, gitTool, globTool, grepTool } from '../src/index.ts'
import { type HostileCall, hostileCalls } from './hostile-calls.ts'
import { examine, toolContext } from './perform.ts'
import { type Repository, repository, secretLine } from './repository.ts'

const credentials = ['MY_API_KEY', 'aws_session_token', 'GH_TOKEN', 'npm_config__authToken', 'DB_PASSWORD']

function variablesFor({ root }: Repository): Record<string, string | undefined> {
  return {
    ...process.env,
    PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    RUST_LOG: 'plain value',
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...Object.fromEntries(credentials.map((name) => [name, secretLine])),
  }
}

/** What became of a call, and all that the model would read of it. */
interface Seen {
  readonly became: 'refused' | 'failed' | 'harmless'
  readonly text: string
}

async function call<Input>(tool: Tool<Input>, input: unknown): Promise<Seen> {
  const examined = await examine(tool, input)
  if (!examined.valid) return { became: 'refused', text: examined.message }
  expect(examined.paths.every(({ inside }) => inside)).toBe(true)
  const { outcome, text }: ToolResult = await tool.run(examined, await toolContext())
  return { became: outcome === 'ok' ? 'harmless' : 'failed', text }
}

async function callIn(place: Repository, name: HostileCall['tool'], input: unknown): Promise<Seen> {
  const { root } = place
  const variables = variablesFor(place)
  switch (name) {
    case 'bash':
      return call(bashTool({ root, variables, graceMs: 200 }), input)
    case 'git':
      return call(gitTool({ root, variables }), input)
    case 'glob':
      return call(globTool({ root }), input)
    case 'grep':
      return call(grepTool({ root, variables }), input)
    default:
      return name satisfies never
  }
}

const given = (value: HostileCall['input'], place: Repository) => (typeof value === 'function' ? value(place) : value)

/** What no call may change. */
async function untouchable({ top, root }: Repository): Promise<unknown> {
  const outside = await readdir(join(top, 'outside'))
  const branches = await readdir(join(root, '.git/refs/heads'))
  return [(await readdir(top)).sort(), outside.sort(), await readFile(join(top, 'outside/f'), 'utf8'), branches]
}

const seen: Record<string, number> = {}
afterAll(() => console.log(`${hostileCalls.length} hostile calls: ${JSON.stringify(seen)}`))

describe('a hostile call does no harm', () => {
  test.each(sample(hostileCalls, { quick: 7, ci: 40 }))(
    '$tool: $about',
    async ({ tool, prepare, input, becomes, shows }) => {
      await using place = await repository()
      await prepare?.(place)
      const before = await untouchable(place)
      const { became, text } = await callIn(place, tool, given(input, place))
      seen[became] = (seen[became] ?? 0) + 1
      expect(text.replaceAll(`^${secretLine}`, '')).not.toContain(secretLine)
      expect(await untouchable(place)).toEqual(before)
      expect(place.isSprung()).toBe(false)
      expect({ became, text }).toMatchObject({ became: becomes })
      if (shows !== undefined) expect(text).toMatch(shows)
    },
  )
})

describe('its benign twin works', () => {
  test.each(sample(hostileCalls, { quick: 2, ci: 10 }))(
    '$tool, beside: $about',
    async ({ tool, prepare, benign, benignShows }) => {
      await using place = await repository()
      await prepare?.(place)
      const { became, text } = await callIn(place, tool, given(benign, place))
      expect({ became, text }).toMatchObject({ became: 'harmless' })
      expect(text).toMatch(benignShows)
    },
  )
})
