import { call, line, type ScriptLine } from '@loader/test-harness'

export const firstTask = 'Fix sum.js so that the tests of this project pass.'
export const secondTask = 'Write a changelog, then publish with: node publish.js'

const plan = `## File Changes
- sum.js: add instead of subtracting; nothing sums up to zero

## Execution Order
1. Read sum.js
2. Correct sum.js

## Risks
- None
<<<VERIFICATION>>>
## Acceptance Criteria
- sum adds numbers, and of nothing it is zero

## Verification Commands
- node --test`

/** The answers of the scripted model to the first task. It makes one mistake and claims to be done. */
export const firstScript: readonly ScriptLine[] = [
  line(plan),
  line('I look at the code first.', call('read', { file_path: 'sum.js' })),
  line(
    'It subtracts. I make it add.',
    call('edit', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' }),
    call('todo_write', {
      todos: [
        { content: 'Read sum.js', status: 'completed' },
        { content: 'Correct sum.js', status: 'completed' },
      ],
    }),
  ),
  line('Done! All tests pass.'),
  line(
    'An empty list is not covered yet.',
    call('edit', { file_path: 'sum.js', old_string: 'a + b)', new_string: 'a + b, 0)' }),
  ),
  line('Now sum adds numbers, and nothing sums up to zero.'),
]

/** Its answers to the second task, until its process is killed. */
export const secondScript: readonly ScriptLine[] = [
  line(
    'First the changelog.',
    call('write', { file_path: 'CHANGELOG.md', content: '# 1.0.0\n\n- sum adds numbers\n' }),
  ),
  line('Now I publish.', call('bash', { command: 'node publish.js' })),
]

/** Its answers after the next process reports that the outcome is unknown. */
export const thirdScript: readonly ScriptLine[] = [
  line('Whether it was published is not known, so I look.', call('bash', { command: 'ls' })),
  line('It was not. I publish once.', call('bash', { command: 'node publish.js && cat published.log' })),
  line(
    'The changelog is written, and version 1.0.0 is published, once.',
    call('finish', {
      how: 'done',
      summary: 'The changelog is written, and version 1.0.0 is published.',
      found: [{ call: 'node publish.js', shown_by: 'ls', what: 'nothing had been published' }],
    }),
  ),
]
