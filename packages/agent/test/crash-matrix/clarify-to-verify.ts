import { call, type CrashPorts, line } from '@loader/test-harness'
import { type Outcome, type Plot, resume as goOn, scenario as work, type World } from './program.ts'

export { storeOf } from './program.ts'

const brief = `## Task Statement
- Implement a report with a title, and a line for each entry.

## Desired Outcome
- report.sh prints a title and one line for each entry in entries.txt.

## In Scope
- report.sh

## Non Goals
- entries.txt stays as it is.

## Decision Boundaries
- Ask before any other file is changed.

## Constraints
- Plain shell.

## Acceptance Criteria
- sh report.sh prints the title "Report".
`

const plan = `## File Changes
- Write report.sh.
- Write title.txt.

## Execution Order
- Write title.txt with the title.
- Write report.sh.

## Risks
- None.

<<<VERIFICATION>>>

## Acceptance Criteria
- sh report.sh prints the title "Report".

## Verification Commands
- sh check.sh

## Notes
- None.
`

function done(contents: readonly string[]) {
  return contents.map((content) => ({ content, status: 'completed' }))
}

/** What is wanted is asked for first, then planned, done, and shown to be done. */
const plot: Plot = {
  task: 'Implement a report with a title file, a line for each entry, and a sample output, and wire up its verification.',
  options: {
    mode: 'clarify',
    askUser: async () => 'It prints the title Report, and one line for each entry. Nothing else changes.',
    doneWhen: [{ command: 'sh check.sh', text: 'the report has its title, and there is a sample' }],
  },
  config: { permissionMode: 'allow', limits: { clarifyRounds: 1 } },
  proof: 'sh check.sh',
  script: {
    also: {
      clarify: line('One thing first.', call('ask_user', { question: 'Which title does the report have?' })),
      brief: line(brief),
      plan: line(plan),
    },
    steps: [
      [call('read', { file_path: 'entries.txt' })],
      [call('write', { file_path: 'title.txt', content: 'Report\n' })],
      [call('write', { file_path: 'report.sh', content: 'cat title.txt\nsed "s/^/- /" entries.txt\n' })],
      [call('bash', { command: 'sh report.sh > sample.out' })],
      [call('todo_write', { todos: done(['Write title.txt with the title.', 'Write report.sh.']) })],
    ],
    last: line('report.sh prints the title and the entries now.'),
  },
}

export const files = {
  'project/entries.txt': 'one\ntwo\n',
  'project/report.sh': 'cat entries.txt\n',
  'project/check.sh': 'sh report.sh | grep -q "^Report$" && test -s sample.out\n',
}

export function scenario(ports: CrashPorts<World>): Promise<Outcome> {
  return work(ports, plot)
}

export function resume(ports: CrashPorts<World>): Promise<Outcome> {
  return goOn(ports, plot)
}
