import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'
import { fromCi, sample, tier, times } from '@loader/test-tier'
import { setTimeout as passed } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { hasTmux, TmuxTalk } from './interactive/stage/tmux-talk.ts'

const rest = /\n─+\n>\n─+\n(?:execute|verify|ready|plan) \| [^\n]+$/

/** Lines of words, each with its number, of which each word is a part of the stream. */
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1} with 日本語 and 👩‍💻 and مرحبا`)

/** What differs from turn to turn: how long it took, and its number. */
const steady = (text: string) =>
  text.replaceAll(/\d+(?:\.\d+)? (?:ms|s|min)(?: \d+ s)?/g, '1 s').replaceAll(/\d+/g, '1')

const answerOf = (turn: number) => `Turn ${turn} is **done**; 日本語 and 👩‍💻 and مرحبا are shown.

| what | why |
|---|---|
| 日本語 | it is wide |
| a long cell that does not fit where there is little room, so that it goes on | turn ${turn} |

1. First
   - inner, with so many words that they go on in another line where there is little room for them
2. Second

\`\`\`js
export const turn = ${turn} // of many
\`\`\`
`

describe.skipIf(!hasTmux || !fromCi)(
  `what goes on for long${hasTmux ? '' : ' (skipped: tmux is not installed)'}`,
  () => {
    // Fifty tokens a second; a minute of it in the long tier.
    test('a stream of words is whole, while keys are typed and seen', { timeout: 600_000 }, async () => {
      const count = times({ quick: 10, ci: 10, long: 375 })
      const drip = { chunks: 'word', fault: { type: 'drip', delayMs: 20 } } as const
      await using talk = await TmuxTalk.begin({
        columns: 80,
        rows: 30,
        lines: [{ ...line(numbered(count).join('\n')), ...drip }],
      })
      talk.startAfter('clear; seq 60')
      await talk.see(rest)
      talk.say('Tell me')
      let draft = ''
      for (let at = 1; at < count; at += Math.ceil(count / 5)) {
        await talk.see(new RegExp(`line ${at} `), 'whole')
        draft += ` ${at}`
        talk.type(`${at} `)
        await talk.see(new RegExp(`\\n>${draft}\\n─+\\n[^\\n]+$`), 'visible')
      }
      await talk.see(new RegExp(`■ [^]*\\n>${draft}\\n─+\\n[^\\n]+$`), 'visible')
      const screen = talk.screen('whole').split('\n')
      expect(screen.filter((text) => text.startsWith('line '))).toEqual(numbered(count))
      expect(screen.filter((text) => /^\d+$/.test(text))).toEqual(
        Array.from({ length: 60 }, (_, index) => `${index + 1}`),
      )
      expect(screen.filter((text) => /^─{25}/.test(text))).toHaveLength(2)
    })

    // A conversation of ten minutes, if somebody read along. Whatever is torn makes its turn differ from the others.
    test.each(sample([100, 80, 60], { quick: 1, ci: 1 }))(
      'every turn of many looks like the one before, in %i columns',
      { timeout: 900_000 },
      async (columns) => {
        await using talk = await TmuxTalk.begin({ columns, rows: 40, lines: script(turns), files })
        talk.start('--permission-mode', 'workspace-write')
        await talk.see(rest)
        await converse(talk, 'visible', rest)
        expect(talk.faults(columns)).toEqual([])
        requireAlike(talk.screen('whole').split(/^─{24}$/m))
      },
    )

    test.runIf(tier === 'long')(
      'nor is anything torn where a terminal takes lines alone',
      { timeout: 900_000 },
      async () => {
        await using talk = await TmuxTalk.begin({ columns: 80, rows: 40, lines: script(turns), files })
        talk.say('export TERM=dumb')
        talk.start('--permission-mode', 'workspace-write')
        await talk.see(/\n>$/)
        await converse(talk, 'visible', /= [^\n]+\n(?:  [^\n]+\n)*>$/)
        expect(talk.faults(80)).toEqual([])
        requireAlike(talk.screen('whole').split(/^(?=> Turn)/m))
      },
    )
  },
)

const files = { 'turn.js': 'export const turn = 0\n', 'other.txt': 'one\ntwo\n' }
const turns = times({ quick: 3, ci: 4, long: 40 })

function script(count: number): WireLine[] {
  const drip = { chunks: 'word', fault: { type: 'drip', delayMs: tier === 'long' ? 12 : 2 } } as const
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((turn) => [
    {
      ...line(
        'I look and run.',
        call('read', { file_path: 'other.txt' }),
        call('bash', { command: `seq 12; echo turn ${turn}` }),
      ),
      ...drip,
    },
    {
      ...line('I change it.', call('write', { file_path: 'turn.js', content: `export const turn = ${turn}\n` })),
      ...drip,
    },
    { ...line(answerOf(turn)), ...drip },
  ])
}

async function converse(talk: TmuxTalk, extent: 'visible', until: RegExp): Promise<void> {
  for (let turn = 1; turn <= turns; turn += 1) {
    talk.say(`Turn ${turn}, please: 日本語 👩‍💻 مرحبا`)
    await talk.see((screen) => screen.includes(`export const turn = ${turn} // of many`) && until.test(screen), extent)
    await passed(20)
  }
}

/** The first turn has decisions of its own, and the last the input below it. */
function requireAlike(parts: readonly string[]): void {
  const [, first = '', ...others] = parts.map((part) => steady(part.trimEnd()))
  expect(parts.length).toBeGreaterThanOrEqual(turns)
  expect(first).toContain('// of many')
  for (const other of others.slice(0, -1)) expect(other).toBe(first)
}
