import { expect, test } from 'vitest'
import { narratesInsteadOfActing } from '../../src/recovery/narrates-instead-of-acting.ts'

test.for([
  'I will now create hello.txt.',
  "I'll read the file first.",
  'Okay, let me check the tests.',
  'The bug is in sum. Let me fix it now.',
  'First, I need to look at src/a.ts.',
  "Next, I'm going to run the tests:\n```sh\nnpm test\n```",
  '[calls write tool with: file_path=a.txt]',
  'Using the `read` tool to look at a.txt…',
  "Let's start by exploring the project.",
])('%j announces instead of acting', (answer) => {
  expect(narratesInsteadOfActing(answer)).toBe(true)
})

test.for([
  '',
  'Done.',
  'I created hello.txt.',
  'Let me explain: the function adds two numbers.',
  'Let me know if you need anything else.',
  'I will need the name of the file. Which one is it?',
  'I looked at the file. It adds two numbers.',
  'Let me check the code. It adds two numbers and returns their sum.',
  'The tool reads the file and prints it.',
  'You will run the tests in CI.',
])('%j is an answer', (answer) => {
  expect(narratesInsteadOfActing(answer)).toBe(false)
})
