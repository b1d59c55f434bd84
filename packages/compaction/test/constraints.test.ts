import { describe, expect, test } from 'vitest'
import { textOf } from '@loader/session-core'
import { compactLocally, planCompaction } from '../src/index.ts'
import { constraintsIn, withinBudget } from '../src/constraints.ts'
import { Recorder } from './recorder.ts'

describe('a sentence of the user is a condition', () => {
  test.each([
    'You must keep the public names.',
    'Never push to main.',
    "Don't touch config/prod.yml!",
    'Don’t reformat what you do not change.',
    'Do not add dependencies.',
    'Only edit files under src.',
    'Work without network access.',
    'Avoid global state.',
    'Make sure the tests pass on Node 20.',
    'All messages have to be in German.',
    'Use tabs.',
    'No default exports.',
    'Please leave the lockfile alone.',
    'The output may not exceed 80 columns.',
    'It shall work offline.',
    'At most three files may change.',
  ])('%s', (sentence) => {
    expect(found(`I looked at it. ${sentence} It is a web shop.`)).toEqual([sentence])
  })

  test.each([
    'Add the address to the form.',
    'The monkeys are in the onlyfoo table.',
    'It is a musty shoulder requirementless thing.',
    'What does this function return?',
    'Nothing happens when I click.',
    'Another notebook was allowedX.',
  ])('unless it only looks like one: %s', (sentence) => {
    expect(found(sentence)).toEqual([])
  })

  test('wherever it stands: in a list, behind a question, across lines', () => {
    const text = 'Can you refactor it?\n- never rename exports\n2. keep the API\n> must not log secrets\nThanks'
    expect(found(text)).toEqual(['never rename exports', 'keep the API', 'must not log secrets'])
  })

  test('but not in code that was pasted', () => {
    expect(found('It prints this:\n```\nerror: must not be null\n```\nNever ignore that.')).toEqual([
      'Never ignore that.',
    ])
  })

  test('and only of the user: what models, tools and the runtime say is none', () => {
    const recorder = new Recorder()
    recorder.begin('Look.')
    recorder.answer('You must never do that.', [{ name: 'read', input: {} }])
    recorder.settle('Never do that.')
    expect(constraintsIn(recorder.window)).toEqual([])
  })
})

describe('the budget', () => {
  test('each once, where it was said last', () => {
    expect(withinBudget(['Never push.', 'Use tabs.', 'never push.'], 1000)).toEqual(['Use tabs.', 'never push.'])
  })

  test('strict ones before loose ones, newer before older, in their order', () => {
    const sentences = ['Never push to main.', 'Only look here.', 'Use the old one.', 'Never delete the logs.']
    expect(withinBudget(sentences, 45)).toEqual(['Never push to main.', 'Never delete the logs.'])
    expect(withinBudget(sentences, 62)).toEqual(['Never push to main.', 'Use the old one.', 'Never delete the logs.'])
    expect(withinBudget(sentences, 30)).toEqual(['Never delete the logs.'])
    expect(withinBudget(sentences, 0)).toEqual([])
  })
})

test('what was forbidden before the first of five compactions is still forbidden after the last', () => {
  const recorder = new Recorder()
  recorder.say('Never push to main. Keep the public names.', 'Understood.')
  for (let round = 1; round <= 5; round += 1) {
    recorder.say(`You must finish part ${round}. It is urgent.`, 'Much was found. '.repeat(400))
    recorder.say('Go on.', 'Done.')
    recorder.say('Go on.', 'Done.')
    const plan = planCompaction(recorder.state)
    if (plan === null) throw new Error('there is something to fold')
    recorder.record(compactLocally(recorder.state, plan, { messageId: recorder.newId('sum') }))
  }
  const [summary] = recorder.window
  const lines = textOf(summary?.content ?? []).split('\n')
  const start = lines.indexOf('What the user required or forbade, word for word, oldest first:')
  expect(lines.slice(start + 1, start + 8)).toEqual([
    '- Never push to main.',
    '- Keep the public names.',
    ...[1, 2, 3, 4, 5].map((round) => `- You must finish part ${round}.`),
  ])
})

function found(text: string): string[] {
  const recorder = new Recorder()
  recorder.say(text, 'Yes.')
  return constraintsIn(recorder.window)
}
