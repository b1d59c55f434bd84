import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { textOf } from '@loader/session-core'
import { compactFromModel, compactLocally, localSummary, planCompaction } from '../src/index.ts'
import { summaryBudget } from '../src/summary-budget.ts'
import { compressLines } from '../src/compress-lines.ts'
import { Recorder } from './recorder.ts'

const usual = { characters: 1200, lines: 24, lineLength: 160 }

describe('a summary without a model', () => {
  test('says what the work is about and how far it is', () => {
    const recorder = new Recorder()
    recorder.begin('Rename the module core to kernel.')
    recorder.answer('I look at src/core/index.ts first.', [
      { name: 'read', input: { file_path: 'src/core/index.ts' } },
      { name: 'read', input: { file_path: 'docs/core.md' } },
    ])
    recorder.settle('export const core = 1')
    recorder.settle('ENOENT: no such file\n  at open', 'failed')
    recorder.answer('It is imported in `apps/cli` because of the old layout.', [
      { name: 'bash', input: { command: 'grep -r core', cwd: 'apps/cli' } },
    ])
    recorder.settle('12 matches')
    recorder.record({
      type: 'todos.updated',
      todos: [
        { id: 'a', text: 'Move the folder', status: 'completed' },
        { id: 'b', text: 'Mend the imports', status: 'pending' },
      ],
    })
    recorder.answer('The port is 8443.')
    recorder.end()
    recorder.say('Also mend the docs.', 'The docs are mended.')
    expect(localSummary(recorder.state, { folded: recorder.window })).toMatchInlineSnapshot(`
      "Conversation summary:
      - Scope: Also mend the docs.
      - Current work: The docs are mended.
      - Pending work: Also mend the docs.
      - Key files referenced: apps/cli, src/core/index.ts, docs/core.md
      - Tools used: read (2), bash (1)
      - Recent user requests: Rename the module core to kernel.; Also mend the docs.
      - Next step: Mend the imports
      - Newly compacted context: 9 messages
      - Fact: read failed: ENOENT: no such file
      - Fact: It is imported in \`apps/cli\` because of the old layout.
      - Fact: The port is 8443."
    `)
  })

  test('is nothing but a placeholder for a window without words', () => {
    const { state } = new Recorder()
    expect(localSummary(state, { folded: [] }).split('\n').slice(0, 4)).toEqual([
      'Conversation summary:',
      '- Scope: not said',
      '- Current work: not said',
      '- Pending work: not said',
    ])
  })

  test('is the same every time', () => {
    const recorder = new Recorder()
    recorder.say('Look at src/a.ts.', 'It has 12 lines.')
    const folded = recorder.window
    expect(localSummary(recorder.state, { folded })).toBe(localSummary(recorder.state, { folded: [...folded] }))
  })

  test('stays within its budget, which grows with the window', () => {
    expect([undefined, 8192, 131_072, 10_000_000].map((window) => summaryBudget(window))).toEqual([
      usual,
      usual,
      { characters: 10_485, lines: 209, lineLength: 160 },
      { characters: 12_000, lines: 240, lineLength: 160 },
    ])
    const recorder = new Recorder()
    for (let part = 0; part < 100; part += 1)
      recorder.say(`See to part ${part}.`, `Part ${part} needs version 1.${part}.`)
    const summary = localSummary(recorder.state, { folded: recorder.window })
    expect(summary.length).toBeLessThanOrEqual(1200)
    expect(summary.split('\n').length).toBeLessThanOrEqual(24)
  })

  const texts = ['x', 'a/', '/', 'a.', '. ', ' ', '\n', '```', 'must ', "don't", '(1) ', '`', '"', '- ', '你']

  test.each(sample(texts, { quick: 5 }))('is written as fast as any for 64 KiB of %j', (piece) => {
    const recorder = new Recorder()
    const text = piece.repeat(65_536 / piece.length)
    for (let turn = 0; turn < 20; turn += 1) recorder.say(`/${text}`, `${text}/`)
    const plan = planCompaction(recorder.state)
    if (plan === null) throw new Error('there is something to fold')
    const summary = `Tools used: ${text}\n${text}`
    const reading = { outcome: 'written', summary } as const
    recorder.record(compactFromModel(recorder.state, plan, reading, { messageId: 'sum' }))
    for (let turn = 0; turn < 3; turn += 1) recorder.say('Go on.', 'Done.')
    const again = planCompaction(recorder.state, { minimumGain: -1 })
    expect(again && compactLocally(recorder.state, again, { messageId: 'sum_2' }).type).toBe('context.compacted')
  })

  test('merges what earlier summaries said: facts, files, tools', () => {
    const recorder = new Recorder()
    recorder.begin('Look at the server.')
    recorder.answer('The port of staging is 8443.', [{ name: 'read', input: { file_path: 'conf/staging.yml' } }])
    recorder.settle('Long text. '.repeat(1000))
    recorder.answer('I have seen it.')
    recorder.end()
    for (let round = 0; round < 3; round += 1) {
      for (let more = 0; more < 3; more += 1) recorder.say('Go on.', 'Something was found. '.repeat(300))
      recorder.say('Go on.', 'Done.')
      recorder.say('Go on.', 'Done.')
      const plan = planCompaction(recorder.state)
      if (plan === null) throw new Error('there is something to fold')
      recorder.record(compactLocally(recorder.state, plan, { messageId: recorder.newId('sum') }))
    }
    const summary = textOf(recorder.window[0]?.content ?? [])
    expect(recorder.state.compaction?.count).toBe(3)
    for (const line of [
      '- Fact: The port of staging is 8443.',
      '- Key files referenced: conf/staging.yml',
      '- Tools used: read (1)',
      '- Earlier compacted context: merged into this summary',
    ]) {
      expect(summary.split('\n').filter((each) => each === line)).toHaveLength(1)
    }
  })
})

describe('fitting lines', () => {
  const lines = [
    { text: 'Heading:', rank: 0 },
    { text: '- a  detail\n of   the work', rank: 2 },
    { text: '- A DETAIL of the work', rank: 2 },
    { text: '- Scope: all', rank: 0 },
    { text: '   ', rank: 0 },
    { text: `- ${'long '.repeat(100)}`, rank: 1 },
  ] as const

  test('the important ones come first, each in one line and once', () => {
    const { text, omitted, duplicates } = compressLines(lines, usual)
    expect(text.split('\n')).toEqual([
      'Heading:',
      '- Scope: all',
      `- ${'long '.repeat(31)}lo…`,
      '- a detail of the work',
    ])
    expect({ omitted, duplicates }).toEqual({ omitted: 0, duplicates: 1 })
  })

  test('a line that is too long makes way for a shorter one behind it', () => {
    expect(compressLines(lines, { ...usual, characters: 50 })).toMatchObject({
      text: 'Heading:\n- Scope: all\n- a detail of the work',
      omitted: 1,
    })
  })

  test('what did not fit is counted where there is room to say so', () => {
    const { text } = compressLines(lines, { ...usual, characters: 110 })
    expect(text.split('\n').at(-1)).toBe('- … and 1 lines that did not fit')
  })

  test('no budget gives no summary, a small one the beginning', () => {
    expect(compressLines(lines, { ...usual, characters: 0 }).text).toBe('')
    expect(compressLines(lines, { ...usual, lines: 0 }).text).toBe('')
    expect(compressLines(lines, { ...usual, characters: 4 }).text).toBe('Hea…')
  })
})
