import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { line } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { parse } from '../src/arguments/parse.ts'
import { UsageError } from '../src/arguments/usage-error.ts'
import { commands, main } from '../src/commands/table.ts'
import { bindings } from '../src/interactive/bindings.ts'
import { slashCommands } from '../src/interactive/slash-commands.ts'
import { Settings } from '../src/settings/settings.ts'
import { type Ended, type Stage, stageOf } from './e2e/stage/stage.ts'
import { PlainTalk } from './interactive/stage/plain-talk.ts'
import { root } from './programs.ts'
import { blockLines, hasPlace, pagesOfCommand, spanLines, wordsOf } from './written/documented-lines.ts'
import { png } from './written/picture.ts'

const pageOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** What a page shows as a mistake. */
const mistakes = new Set(['loader modles', 'loader list', 'loader resume'])

/** A span that is no more than the name of a command, or of a group of them. */
const isName = (text: string) => commands.some(({ name }) => `loader ${name} `.startsWith(`${text} `))

const [inBlocks, inSpans] = [blockLines(), spanLines()]
const lines = [
  ...new Map([...inBlocks, ...inSpans.filter((one) => !isName(one.line))].map((one) => [one.line, one])).values(),
]

/** With words in the places that the reader fills. */
const filled = (text: string) =>
  text
    .replaceAll(/ \[[^\]]*\]/g, '')
    .replaceAll(/<[^>]*>/g, 'words')
    .replaceAll('…', 'more')

describe('the command understands', () => {
  test.each(lines)('$line ($page)', ({ line: text }) => {
    const understood = () => parse(wordsOf(filled(text)), commands, main)
    if (mistakes.has(text)) expect(understood).toThrow(UsageError)
    else expect(understood).not.toThrow()
  })

  test('lines of blocks and of sentences', () => {
    expect(inBlocks.length).toBeGreaterThan(15)
    expect(inSpans.length).toBeGreaterThan(60)
  })
})

/** They begin a conversation where a terminal is, and what is heard then. */
const conversations: Readonly<Record<string, string>> = {
  loader: '> ',
  'loader "a task"': 'Here I am.',
  'loader "Fix the failing test"': 'Here I am.',
  'loader "fix the failing test"': 'Here I am.',
  'loader "fix the tests"': 'Here I am.',
  'loader -c': 'Hello before',
  'loader -r': 'Hello before',
}

/** Lines about workers need a database, and each other: their own test types them in order. */
const typedElsewhere = 'docs/workers.md'
const runnable = lines
  .filter(({ page }) => page !== typedElsewhere)
  .map(({ line: text }) => text)
  .filter((text) => !hasPlace(text) && !mistakes.has(text))

describe('a line without a place for words of the reader works as it is printed:', () => {
  test.each(runnable.filter((text) => Object.hasOwn(conversations, text)))('%s, at a terminal', async (text) => {
    await using before = await PlainTalk.begin({ lines: [answer], words: ['-n', 'Hello before', 'Hello before'] })
    before.hangUp()
    await before.ended
    const { workspace } = before
    await using talk = await PlainTalk.begin({ lines: [answer], words: wordsOf(text), workspace })
    await talk.hear(conversations[text] ?? '')
    talk.hangUp()
    expect(await talk.ended).toBe(0)
  })

  test('the others, one after the other', async () => {
    await using one = await stageOf({ lines: [answer] })
    writeFileSync(one.path('shot.png'), png(90, 90, 1))
    mkdirSync(one.path('../other'))
    mkdirSync(join(one.config, 'commands/git'), { recursive: true })
    writeFileSync(join(one.config, 'commands/git/push.md'), 'Push to $ARGUMENTS.')
    const groq = { api: 'openai-compatible', baseUrl: `${one.server.url}/v1` }
    writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ providers: { groq } }))
    await one.run(['-p', 'Say hello'])
    const failed: unknown[] = []
    for (const text of runnable) {
      if (Object.hasOwn(conversations, text)) continue
      const { code, stdout, stderr } = await ran(one, text)
      if (code !== 0) failed.push({ text, code, stdout, stderr })
    }
    expect(failed).toEqual([])
  })
})

const answer = { ...line('Here I am.'), repeat: 'any' } as const
const key = 'sk-good-0123456789abcdef'

/** Runs a line after what it goes on with. `login` reads a key; a demo starts processes of itself. */
async function ran(one: Stage, text: string): Promise<Ended> {
  const environment = { OPENAI_BASE_URL: `${one.server.url}/v1` }
  if (text.startsWith('loader login')) return one.runBuilt([...wordsOf(text), '--file'], { environment, input: key })
  if (text === 'loader demo') return one.runBuilt(wordsOf(text))
  if (text.includes('--mode execute')) await one.run(['-p', '--mode', 'plan', 'Say hello'])
  return one.run(wordsOf(text), { environment })
}

describe('settings that a page shows are settings:', () => {
  const blocks = pagesOfCommand.flatMap((page) =>
    [...pageOf(page).matchAll(/^```json\n(\{[^]*?)^```$/gm)].map(([, text = '']) => ({ page, text })),
  )
  const shown = blocks.filter(({ page }) => ['docs/cli.md', 'docs/models.md', 'docs/mcp.md'].includes(page))
  const spans = pagesOfCommand
    .filter((page) => page.startsWith('docs/') && page !== 'docs/wire-server.md')
    .flatMap((page) =>
      [...pageOf(page).matchAll(/`("\w+": [^`]+)`/g)].map(([, text = '']) => ({ page, text: `{ ${text} }` })),
    )
    .filter(({ text }) => isJson(text))

  test.each([...shown, ...spans])('$text ($page)', ({ text }) => {
    const { keys } = Settings.parse(JSON.parse(text))
    expect(() => bindings(keys)).not.toThrow()
  })

  test('in blocks and in sentences', () => {
    expect(shown.length).toBeGreaterThan(2)
    expect(spans.length).toBeGreaterThan(2)
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

test('docs/terminal.md lists every command of a conversation', () => {
  const [, listed = ''] = /`\/help` lists them: `([^`]*)`/.exec(pageOf('docs/terminal.md')) ?? []
  const names = Object.keys(slashCommands).filter((name) => name !== 'help')
  expect(listed.split(/\s+/).toSorted()).toEqual(names.map((name) => `/${name}`).toSorted())
})
