import { expect, test } from 'vitest'
import { detectTextLoop } from '../../src/recovery/detect-text-loop.ts'

const long =
  'The function in the module reads the file line by line and then counts the words of each of them carefully'
const rows: readonly {
  readonly what: string
  readonly answer: string
  readonly earlier: readonly string[]
  readonly looping: boolean
}[] = [
  { what: 'the first answer', answer: 'Done.', earlier: [], looping: false },
  { what: 'the second of the same', answer: 'Done.', earlier: ['Done.'], looping: false },
  { what: 'the third of the same', answer: 'Done.', earlier: ['Done.', 'Done.'], looping: true },
  {
    what: 'the same with other files and numbers',
    answer: 'Fixed line 3 of src/a.ts.',
    earlier: ['Fixed line 12 of src/b.ts.', 'Fixed line 7 of lib/c.ts.'],
    looping: true,
  },
  {
    what: 'the same in other capitals and spaces',
    answer: 'All  DONE',
    earlier: ['all done', 'All done'],
    looping: true,
  },
  {
    what: 'the same twice among others',
    answer: 'Done.',
    earlier: ['Done.', 'Now the tests.', 'Done.', 'And the docs.'],
    looping: true,
  },
  {
    what: 'the same, but too long ago',
    answer: 'Done.',
    earlier: ['Done.', 'Done.', 'a', 'b', 'c', 'd'],
    looping: false,
  },
  {
    what: 'different answers',
    answer: 'Now the docs.',
    earlier: ['First the code.', 'Then the tests.'],
    looping: false,
  },
  { what: 'nearly the same words', answer: `${long} now`, earlier: [long, `${long} again`], looping: true },
  {
    what: 'nearly the same words in one of three',
    answer: `${long} now`,
    earlier: [long, 'Something else.'],
    looping: false,
  },
  {
    what: 'few words in common order',
    answer: 'a b c d e f g h',
    earlier: ['h g f e d c b a', 'b a d c f e h g'],
    looping: false,
  },
  {
    what: 'a stock phrase for the third time',
    answer: 'I apologize for the confusion. It is in src/a.ts, then.',
    earlier: [
      'I apologize for the confusion: the class has a base.',
      'Sorry. I apologize for the confusion! Here is why.',
    ],
    looping: true,
  },
  {
    what: 'a stock phrase for the second time',
    answer: 'I apologize for the confusion. It is in src/a.ts, then.',
    earlier: ['I apologize for the confusion: the class has a base.', 'Here is why.'],
    looping: false,
  },
]

test.for(rows)('$what is a loop: $looping', ({ answer, earlier, looping }) => {
  expect(detectTextLoop(answer, earlier).looping).toBe(looping)
})

test('each outcome has its code', () => {
  expect(detectTextLoop('Done.', [])).toEqual({ looping: false, code: 'text_loop_not_detected' })
  expect(detectTextLoop('Done.', ['Done.', 'Done.'])).toMatchObject({ looping: true, code: 'text_loop_bailout' })
})
