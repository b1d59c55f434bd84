import { shownText, toModelMessages, turns } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { type ForeignKind, foreignText, type Imported, imported, saidIn, sourceOf } from './written/foreign.ts'

/**
 * What really happened. The call ran `echo begun > begun.txt; sleep 3; echo finished > finished.txt`, and the program was
 * stopped during the sleep. `begun.txt` was there every time, and in most of them `finished.txt` as well: the shell
 * outlived the program.
 */
interface Story {
  readonly kind: ForeignKind
  readonly name: string
  /** What became of the call: in none of them did it fail, and none of the programs saw it succeed. */
  readonly outcome: 'interrupted' | 'unknown'
  /** How the turn of that call ended. */
  readonly end: 'interrupted' | 'not_known' | 'turn_complete'
}

const stories: readonly Story[] = [
  { kind: 'codex', name: 'codex/killed/sigint.jsonl', outcome: 'interrupted', end: 'interrupted' },
  { kind: 'codex', name: 'codex/killed/sigint-two-calls.jsonl', outcome: 'interrupted', end: 'interrupted' },
  { kind: 'codex', name: 'codex/killed/sigint-resumed.jsonl', outcome: 'interrupted', end: 'interrupted' },
  { kind: 'codex', name: 'codex/killed/sigkill.jsonl', outcome: 'unknown', end: 'not_known' },
  { kind: 'codex', name: 'codex/killed/sigkill-resumed.jsonl', outcome: 'unknown', end: 'not_known' },
  // Nothing was stopped here: the answer came while the command ran, and the program took it along when it ended.
  { kind: 'codex', name: 'codex/killed/still-running.jsonl', outcome: 'unknown', end: 'turn_complete' },
  { kind: 'claude', name: 'claude-code/killed/sigint.jsonl', outcome: 'interrupted', end: 'interrupted' },
  { kind: 'claude', name: 'claude-code/killed/sigint-resumed.jsonl', outcome: 'interrupted', end: 'interrupted' },
  { kind: 'claude', name: 'claude-code/killed/sigkill.jsonl', outcome: 'unknown', end: 'not_known' },
  { kind: 'claude', name: 'claude-code/killed/sigkill-resumed.jsonl', outcome: 'unknown', end: 'not_known' },
  { kind: 'pi', name: 'pi/killed/sigint.jsonl', outcome: 'unknown', end: 'not_known' },
  { kind: 'pi', name: 'pi/killed/sigkill.jsonl', outcome: 'unknown', end: 'not_known' },
  { kind: 'pi', name: 'pi/killed/sigkill-resumed.jsonl', outcome: 'unknown', end: 'not_known' },
  { kind: 'opencode', name: 'opencode/killed/sigint.export.json', outcome: 'unknown', end: 'not_known' },
  { kind: 'opencode', name: 'opencode/killed/sigkill.export.json', outcome: 'unknown', end: 'not_known' },
  { kind: 'opencode', name: 'opencode/killed/sigkill-resumed.export.json', outcome: 'unknown', end: 'not_known' },
]

describe('a program that was stopped in the middle of a call', () => {
  test.each(stories)('$name: the call is $outcome, and its turn ended as $end', ({ kind, name, outcome, end }) => {
    const session = imported(kind, name)
    expect(lastResult(session)).toMatchObject({ outcome })
    expect(turns(session.events)[0]?.reason).toBe(end)
    expect(session.events.filter(({ type }) => type === 'model.interrupted')).toEqual([])
  })

  test.each(stories)('$name: the model is told that it is $outcome before it reads anything else', (story) => {
    const { state } = imported(story.kind, story.name)
    const results = toModelMessages(state.messages, 'openai').filter((message) => message.role === 'tool')
    const told = story.outcome === 'interrupted' ? 'This call was interrupted.' : ''
    expect(results.at(-1)?.content).toMatch(new RegExp(`^${told}.*not known.*whether it took effect`))
  })

  test('of Claude Code is not believed when it says that nothing was written', () => {
    const { text } = lastResult(imported('claude', 'claude-code/killed/sigint.jsonl'))
    expect(text).toMatch(/^This call was interrupted\. It is not known whether it took effect/)
    expect(text.indexOf('was NOT written')).toBeGreaterThan(0)
  })

  test.each(['sigint', 'sigkill'])('of Gemini CLI (%s) leaves no trace of the call, and no end of the turn', (how) => {
    const session = imported('gemini', `gemini-cli/killed/${how}.jsonl`)
    expect(saidIn(session)).toEqual(['user: Run it.', 'model: I run it.'])
    expect(session.state.lastTurn?.reason).toBe('not_known')
    expect(session.losses.join(' ')).toContain('leaves no sign')
  })

  test('that went on later has both turns, and the first of them is not better for it', () => {
    const reasons = [
      ['codex', 'codex/killed/sigkill-resumed.jsonl', 'turn_complete'],
      ['claude', 'claude-code/killed/sigkill-resumed.jsonl', 'turn_complete'],
      ['gemini', 'gemini-cli/killed/sigkill-resumed.jsonl', 'not_known'],
      ['pi', 'pi/killed/sigkill-resumed.jsonl', 'turn_complete'],
      ['opencode', 'opencode/killed/sigkill-resumed.export.json', 'turn_complete'],
    ] as const
    for (const [kind, name, last] of reasons) {
      const session = imported(kind, name)
      expect(turns(session.events).map(({ reason }) => reason)).toEqual(['not_known', last])
      // opencode puts what stood on the command line between quotation marks.
      const said = kind === 'opencode' ? '"Go on."' : 'Go on.'
      expect(saidIn(session).slice(-2)).toEqual([`user: ${said}`, 'model: I went on.'])
    }
  })
})

describe('a program that was killed in the middle of an answer', () => {
  test.each([
    ['codex', 'codex/killed/sigkill-half-answer.jsonl'],
    ['claude', 'claude-code/killed/sigkill-half-answer.jsonl'],
    ['pi', 'pi/killed/sigkill-half-answer.jsonl'],
  ] as const)('%s %s has the call before it, and neither an end nor a request that no line tells of', (kind, name) => {
    const session = imported(kind, name)
    expect(saidIn(session).at(-1)).toMatch(/^call: \w+ ok$/)
    expect(session.state.lastTurn?.reason).toBe('not_known')
    expect(session.events.filter(({ type }) => type === 'model.asked')).toHaveLength(1)
  })
})

describe('an ordinary run of the same day', () => {
  test.each([
    ['codex', 'codex', 'turn_complete'],
    ['claude', 'claude-code', 'turn_complete'],
    ['gemini', 'gemini-cli', 'not_known'],
    ['pi', 'pi', 'turn_complete'],
  ] as const)('of %s went well, as far as its file says', (kind, folder, end) => {
    const session = imported(kind, `${folder}/killed/ordinary.jsonl`)
    expect(saidIn(session)).toEqual([
      'user: Make one.txt and show it.',
      'model: I look.',
      expect.stringMatching(/^call: \w+ ok$/),
      'model: It says one.',
    ])
    expect(session.state.lastTurn?.reason).toBe(end)
  })
})

/** Those that are written line by line. */
const ofLines = stories.filter(({ name }) => name.endsWith('.jsonl'))

describe('a file that lacks lines', () => {
  test.each(ofLines)('$name never says more for it of its calls', ({ kind, name }) => {
    const lines = foreignText(name).trimEnd().split('\n')
    const whole = new Map(outcomesIn(imported(kind, sourceOf(lines.join('\n')))))
    for (const damaged of damages(lines)) {
      for (const [command, outcome] of outcomesOrNone(kind, damaged)) {
        const before = whole.get(command)
        expect({ command, outcome }).toEqual({
          command,
          // Where the line is gone that says how a call ended, nothing is known of it any more.
          outcome:
            before === 'interrupted' || outcome === 'unknown' ? expect.stringMatching(/interrupted|unknown/) : before,
        })
      }
    }
  })

  test.each(ofLines)('$name has no turn that was completed where it was cut', ({ kind, name, end }) => {
    const lines = foreignText(name).trimEnd().split('\n')
    for (const [count] of lines.entries()) {
      const session = importedOrNone(kind, lines.slice(0, count))
      const [first] = session === undefined ? [] : turns(session.events)
      if (first !== undefined && end !== 'turn_complete') expect(first.reason).not.toBe('turn_complete')
      expect(session?.events.filter(({ type }) => type === 'model.interrupted') ?? []).toEqual([])
    }
  })
})

/** Each line is missing once, and each beginning of the file stands for a program that died there. */
function* damages(lines: readonly string[]): Generator<readonly string[]> {
  for (const [index] of lines.entries()) {
    yield lines.toSpliced(index, 1)
    yield lines.slice(0, index)
  }
}

function importedOrNone(kind: ForeignKind, lines: readonly string[]): Imported | undefined {
  try {
    return imported(kind, sourceOf(lines.join('\n')))
  } catch (error) {
    if (error instanceof Error && error.message.includes('holds no conversation')) return undefined
    throw error
  }
}

function outcomesOrNone(kind: ForeignKind, lines: readonly string[]): readonly (readonly [string, string])[] {
  const session = importedOrNone(kind, lines)
  return session === undefined ? [] : outcomesIn(session)
}

/** What became of each call, by what it does. */
function outcomesIn({ events }: Imported): (readonly [command: string, outcome: string])[] {
  const calls = new Map(
    events.flatMap((event) =>
      event.type === 'model.answered'
        ? event.content.flatMap((part) =>
            part.type === 'call' ? [[part.call.id, JSON.stringify(part.call.input)] as const] : [],
          )
        : [],
    ),
  )
  return events.flatMap((event) =>
    event.type === 'tool.finished' ? [[calls.get(event.callId) ?? '', event.outcome] as const] : [],
  )
}

function lastResult({ events }: Imported): { readonly outcome: string; readonly text: string } {
  const result = events.findLast((event) => event.type === 'tool.finished')
  if (result === undefined) throw new Error('There is no result.')
  return { outcome: result.outcome, text: shownText(result.text) }
}
