import { line } from '@loader/test-harness'
import { sample, tier } from '@loader/test-tier'
import { setTimeout as passed } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { hasTmux, TmuxTalk } from './interactive/stage/tmux-talk.ts'

const numbers = Array.from({ length: 60 }, (_, index) => String(index + 1))
const rest = /\n─+\n>\n─+\n(?:execute|ready) \| [^\n]+$/

/** The lines of an answer that are on the screen, in order. */
function answered(screen: string): string[] {
  return screen.split('\n').filter((text) => /^answer \d+$/.test(text))
}

const answer = (count: number) => Array.from({ length: count }, (_, index) => `answer ${index + 1}`)

describe.skipIf(!hasTmux)(
  `what the terminal has shown before${hasTmux ? '' : ' (skipped: tmux is not installed)'}`,
  () => {
    test.each(sample([24, 12], { quick: 1 }))('is there afterwards, once, in a window of %i rows', async (rows) => {
      const lines = [line(answer(30).join('\n')), line('Short.'), line(answer(40).join('\n'))]
      await using talk = await TmuxTalk.begin({ columns: 80, rows, lines })
      talk.startAfter('clear; seq 60')
      await talk.see(rest)
      talk.say('First')
      await talk.see(new RegExp(`answer 30\\n[^]*${rest.source}`))
      for (const [columns, height] of [
        [60, rows],
        [100, rows],
        [100, rows + 6],
        [80, rows],
      ] as const) {
        talk.resize(columns, height)
        await talk.see(new RegExp(`\\n─{${columns - 1}}\\n>\\n─{${columns - 1}}\\n[^\\n]+$`))
      }
      talk.say('Second')
      await talk.see(new RegExp(`Short\\.\\n[^]*${rest.source}`))
      talk.press('C-d')
      const screen = await talk.see(/Go on later with: loader -r ses_\w+\n\$$/)
      const all = screen.split('\n')
      expect(all.filter((text) => /^\d+$/.test(text))).toEqual(numbers)
      expect(answered(screen)).toEqual(answer(30))
      // The rule between turns stays; nothing is left of the frame.
      expect(all.filter((text) => text.startsWith('─'))).toEqual(['─'.repeat(24)])
    })

    // What is on its way to the terminal at the moment of a change is drawn wrong: a machine with much to do shows that.
    test.runIf(tier === 'long')(
      'is not touched while an answer streams and the window changes; nothing is left of what moved',
      async () => {
        const drip = { chunks: 'word', fault: { type: 'drip', delayMs: 20 } } as const
        const lines = [{ ...line(answer(150).join('\n')), ...drip }]
        await using talk = await TmuxTalk.begin({ columns: 100, rows: 30, lines })
        talk.startAfter('clear; seq 60')
        await talk.see(rest)
        talk.say('Tell me')
        await talk.see('answer 5\n')
        for (const columns of [70, 120, 60, 90, 61, 119, 100, 80]) {
          talk.resize(columns, 30)
          // tmux tells of the next size a quarter of a second after the one before, and nobody can draw right meanwhile.
          await passed(400)
        }
        const screen = await talk.see(new RegExp(`answer 150\\n[^]*${rest.source}`))
        expect(screen.split('\n').filter((text) => /^\d+$/.test(text))).toEqual(numbers)
        expect(answered(screen)).toEqual(answer(150))
        expect(screen.match(/^─/gm)).toHaveLength(2)
        expect(screen.match(/^(?:execute|ready) \|/gm)).toHaveLength(1)
      },
    )
  },
)
