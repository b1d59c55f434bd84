import { MemoryStore, Session } from '@loader/session-core'
import { fixedEnvironment } from '@loader/test-harness'
import type { ActRefused, GivenAnswer, StandingQuestion } from '@loader/web/server'
import { expect, test } from 'vitest'
import { answerQuestion } from '../../src/web/acting/answering.ts'
import type { Desk } from '../../src/web/acting/desk.ts'
import { Standings } from '../../src/web/standing/standings.ts'
import { permitChoices } from '../../src/web/standing/choices.ts'

const rule = { permit: 'allow', pattern: 'Bash(git push:*)' } as const
const exactRule = { permit: 'allow', pattern: 'Bash(git push)' } as const
const choices = permitChoices({ tool: 'bash', rule, exactRule, isTrusted: true })
const allow: GivenAnswer = { kind: 'permit', permit: 'allow', scope: 'once' }
const deny: GivenAnswer = { kind: 'permit', permit: 'deny', scope: 'once' }
const kind: GivenAnswer = { kind: 'permit', permit: 'allow', scope: 'always', extent: 'kind' }

/** What becomes of an answer to a question that was asked so long ago. */
async function outcome(
  ago: number,
  body: { readonly answer: GivenAnswer; readonly rule?: string; readonly shown?: string },
  changes: Partial<StandingQuestion> = {},
): Promise<string> {
  const store = new MemoryStore()
  await using session = await Session.open(store, { environment: fixedEnvironment() })
  const question: StandingQuestion = {
    questionId: 'q_1',
    kind: 'permit',
    isPlan: false,
    shown: 'digest',
    askedAt: new Date(Date.now() - ago).toISOString(),
    title: 'bash',
    tool: 'bash',
    text: 'git push',
    options: [],
    reason: null,
    why: null,
    reach: null,
    choices,
    ...changes,
  }
  const standings = new Standings({ has: () => undefined, trouble: () => null }, undefined, () => true)
  const standing = { ...(await standings.of({ id: session.id, store } as never)), phase: 'waiting', question } as const
  const given: unknown[] = []
  const desk = {
    standings: { followed: (one: never) => standings.followed(one), of: () => Promise.resolve(standing) },
    find: () => Promise.resolve({ id: session.id, store }),
    line: { answered: (_session: unknown, message: { answer: unknown }) => given.push(message.answer) > 0 },
  } as unknown as Desk
  try {
    const about = { request: 'request-0123456789', session: session.id, questionId: 'q_1', shown: 'digest' }
    await answerQuestion({ ...about, ...body }, desk)
  } catch (error) {
    return (error as ActRefused).refusal.code
  }
  expect(given).toEqual([body.answer])
  return 'recorded'
}

test('a yes that nobody can have read is none, and a no is one at once', async () => {
  expect(await outcome(100, { answer: allow })).toBe('too_soon')
  expect(await outcome(1_000, { answer: allow })).toBe('recorded')
  expect(await outcome(0, { answer: { ...deny, words: 'Not that.' } })).toBe('recorded')
})

test('a yes that lasts is one to the rule that was shown, and to no other', async () => {
  expect(await outcome(1_000, { answer: kind, rule: 'Bash(git push:*)' })).toBe('recorded')
  for (const wrong of [undefined, 'Bash', 'Bash(git push)']) {
    expect(await outcome(1_000, { answer: kind, ...(wrong !== undefined && { rule: wrong }) })).toBe('changed')
  }
  // Without an extent it is no choice where two are shown.
  expect(
    await outcome(1_000, { answer: { kind: 'permit', permit: 'allow', scope: 'always' }, rule: 'Bash(git push:*)' }),
  ).toBe('changed')
  expect(await outcome(1_000, { answer: allow, rule: 'Bash(git push:*)' })).toBe('changed')
})

test('words are no yes, a yes is no answer in words, and what was shown otherwise is not answered', async () => {
  expect(await outcome(1_000, { answer: { kind: 'words', words: 'yes' } })).toBe('changed')
  expect(await outcome(1_000, { answer: allow, shown: 'other' })).toBe('changed')
  expect(await outcome(1_000, { answer: { ...allow, words: 'but' } })).toBe('changed')
  expect(await outcome(1_000, { answer: allow }, { kind: 'question', choices: [] })).toBe('changed')
  const spoken = { kind: 'question', choices: [] } as const
  expect(await outcome(0, { answer: { kind: 'words', words: 'Blue.' } }, spoken)).toBe('recorded')
})
