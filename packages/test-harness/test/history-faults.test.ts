import { toModelMessages } from '@loader/session-core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Dialect,
  historyFaults,
  type HistoryOptions,
  type HistoryRule,
  historyRules,
  messageFaults,
} from '../src/index.ts'
import { brokenHistories } from './history-faults/broken-histories.ts'
import { randomWindow } from './history-faults/random-window.ts'

const dialects: readonly Dialect[] = ['openai', 'responses', 'anthropic', 'gemini', 'ollama']
const rules = Object.keys(historyRules) as HistoryRule[]

/** Switches a rule; messages with instructions are looked at only by whoever allows them. */
const switched = (rule: HistoryRule, to: 'on' | 'off'): HistoryOptions => ({
  rules: { [rule]: to, ...(rule === 'systemInPlace' && { noSystemRole: 'off' as const }) },
})

describe('a history that breaks a rule', () => {
  test.each(brokenHistories)('has one fault: $rule of $dialect', ({ broken, dialect, rule, at }) => {
    expect(historyFaults(broken, dialect, switched(rule, 'on'))).toEqual([
      { rule, index: at, message: expect.any(String) },
    ])
  })

  test.each(brokenHistories)('has none when it is repaired: $rule of $dialect', ({ repaired, dialect, rule }) => {
    expect(historyFaults(repaired, dialect, switched(rule, 'on'))).toEqual([])
  })

  test.each(brokenHistories)('has none when the rule is off: $rule of $dialect', ({ broken, dialect, rule }) => {
    expect(historyFaults(broken, dialect, switched(rule, 'off'))).toEqual([])
  })
})

describe('the rules', () => {
  test('have a source for every dialect that has them, and a broken history to show it', () => {
    const documented = rules.flatMap((rule) =>
      Object.keys(historyRules[rule].sources).map((dialect) => `${rule} ${dialect}`),
    )
    const shown = new Set(brokenHistories.map(({ rule, dialect }) => `${rule} ${dialect}`))
    expect([...shown].toSorted()).toEqual(documented.toSorted())
    for (const rule of rules) {
      for (const source of Object.values(historyRules[rule].sources)) expect(source).toMatch(/^https:\/\//)
    }
  })

  test('that depend on the model or the request are off by themselves', () => {
    const continued = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'It is' },
    ]
    expect(historyFaults(continued, 'anthropic')).toEqual([])
    expect(historyFaults(continued, 'anthropic', { rules: { endsWithUser: 'on' } })).toHaveLength(1)
  })

  test('look at anything without throwing', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.object(), randomWindow), { maxLength: 5 }), (history) => {
        for (const dialect of dialects) expect(historyFaults(history, dialect)).toBeInstanceOf(Array)
      }),
    )
  })
})

describe('the messages of a session', () => {
  test.each(dialects)('have no faults in the dialect %s when their calls are answered', (dialect) => {
    fc.assert(
      fc.property(randomWindow, (messages) => {
        expect(messageFaults(messages, dialect)).toEqual([])
      }),
    )
  })

  test.each(dialects)('have a fault in the dialect %s when a result is lost', (dialect) => {
    fc.assert(
      fc.property(randomWindow, fc.nat(), (messages, number) => {
        const results = messages.flatMap(({ role }, index) => (role === 'tool' ? [index] : []))
        const lost = results[number % Math.max(results.length, 1)]
        if (lost === undefined) return
        const faults = messageFaults(messages.toSpliced(lost, 1), dialect)
        expect(faults.map(({ rule }) => rule)).toEqual(['callsAnswered'])
        expect(messages[faults[0]?.index ?? 0]?.role).toBe('assistant')
      }),
    )
  })

  test.each(dialects)('have a fault in the dialect %s when a result comes too late', (dialect) => {
    fc.assert(
      fc.property(randomWindow, (messages) => {
        const place = messages.findIndex(({ role }) => role === 'tool')
        const late = messages[place]
        if (late === undefined) return
        const rest = messages.toSpliced(place, 1)
        // Other items may come between a call and its result; what the model says in a row is one content.
        const isOneAnswer = rest.slice(place).every(({ role }) => role === 'assistant')
        const isFine = dialect === 'responses' || (dialect === 'gemini' && isOneAnswer)
        const expected = isFine ? [] : ['callsAnswered', 'resultsHaveCalls']
        expect(messageFaults([...rest, late], dialect).map(({ rule }) => rule)).toEqual(expected)
      }),
    )
  })

  test('go to OpenAI without a fault', () => {
    fc.assert(
      fc.property(randomWindow, (messages) => {
        expect(historyFaults(toModelMessages(messages, 'openai'), 'openai')).toEqual([])
      }),
    )
  })

  test('name the message of the session, wherever the dialect puts it', () => {
    const at = '2026-01-01T00:00:00.000Z'
    const text = (words: string) => [{ type: 'text', text: words } as const]
    const faults = messageFaults(
      [
        { id: '0', role: 'system', origin: 'note', content: text('Be brief'), at },
        { id: '1', role: 'user', origin: 'input', content: text('Hello'), at },
        { id: '2', role: 'assistant', origin: 'model', content: text('Well. '), at },
      ],
      'anthropic',
    )
    expect(faults).toEqual([{ rule: 'noTrailingSpace', index: 2, message: expect.any(String) }])
  })
})
