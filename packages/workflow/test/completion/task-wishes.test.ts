import { describe, expect, test } from 'vitest'
import { claimsDone, findsNothingToDo, handsBack } from '../../src/completion/answer-words.ts'
import { type TaskWishes, taskWishes } from '../../src/completion/task-wishes.ts'

type Wish = Exclude<keyof TaskWishes, 'action'> | TaskWishes['action']

const tasks: readonly (readonly [task: string, ...wishes: readonly Wish[]])[] = [
  ['Create hello.txt in the workspace root.', 'work'],
  ['Please fix the parser.', 'work'],
  ['Can you add a flag for that?', 'work'],
  ['The build is broken. Fix it.', 'work'],
  ["I'd like a function that sorts numbers.", 'work'],
  ['We need to rename sum to add', 'work'],
  ['There is a bug in the parser, please repair it', 'work'],
  ['Run the linter.', 'run'],
  ['Run the tests and tell me what fails.', 'run'],
  ['Fix sum and run the tests.', 'work', 'verification'],
  ['Add a test for sum and make sure it works.', 'work', 'verification'],
  ['Write the module, then verify it.', 'work', 'verification'],
  ['Install the dependencies.', 'work', 'install'],
  ['Set up the project.', 'work', 'install'],
  ['Create a project with a server and a client.', 'work', 'complex'],
  ['Scaffold a web app.', 'work', 'complex'],
  ['Explain the bug and fix it.', 'work'],
  ['What does the parser do? Then rename it.', 'work'],
  // Words are enough.
  ['Explain the parser.', 'informational'],
  ['Explain how to create and run a test.', 'informational'],
  ['What does the add function do?', 'informational'],
  ['Why does make fail?', 'informational'],
  ['Is there a make target for tests?', 'informational'],
  ['Summarize the changes in this branch', 'informational'],
  ['Compare the two ways to write a file.', 'informational'],
  ['Tell me where the port is set.', 'informational'],
  ['Review src/sum.mjs', 'informational'],
  ['How do I install it?', 'informational'],
  // Parts of words are none, nor are nouns.
  ['The address of the editor is in the header.'],
  ['Our runner has a makefile.'],
  ['My build is slow.'],
  ['Hello there'],
  [''],
]

describe('what a task asks for', () => {
  test.for(tasks)('%s', ([task, ...wishes]) => {
    const { action, ...others } = taskWishes(task)
    const wished = Object.entries(others).flatMap(([wish, wanted]) => (wanted ? [wish] : []))
    expect([...(action === 'none' ? [] : [action]), ...wished].toSorted()).toEqual([...wishes].toSorted())
  })
})

describe('what an answer says', () => {
  test.for([
    'Done.',
    'I created hello.txt.',
    'All tests pass now.',
    'The work is complete and verified.',
    'Fixed: it adds now.',
    'It could be nicer. But it works.',
  ])('%j claims that it is done', (answer) => {
    expect(claimsDone(answer)).toBe(true)
  })

  test.for([
    'It is not done yet.',
    'I could not fix it.',
    'The tests still fail.',
    'This should work now.',
    'I will fix it.',
    'Which file do you mean?',
    '```\nDone.\n```',
    '',
  ])('%j claims nothing', (answer) => {
    expect(claimsDone(answer)).toBe(false)
  })

  test.for([
    'You can run `npm test` to see it.',
    'You should create the file yourself.',
    'Then you need to install the package.',
    'Please run the following command: npm i',
    'Run the following:',
  ])('%j hands a step back', (answer) => {
    expect(handsBack(answer)).toBe(true)
  })

  test.for([
    'I ran npm test.',
    'You asked for a file, and it is there.',
    'Your tests pass.',
    'You can find it in src.',
  ])('%j hands nothing back', (answer) => {
    expect(handsBack(answer)).toBe(false)
  })

  test.for([
    'No changes are needed.',
    'Nothing needs to be changed.',
    'It already works.',
    'The file is already there.',
  ])('%j finds nothing to do', (answer) => {
    expect(findsNothingToDo(answer)).toBe(true)
  })

  test.for(['I changed nothing else.', 'There is nothing like it.', 'Everything has been changed.'])(
    '%j finds something',
    (answer) => {
      expect(findsNothingToDo(answer)).toBe(false)
    },
  )
})
