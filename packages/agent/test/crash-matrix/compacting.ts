import { call, type CrashPorts, line } from '@loader/test-harness'
import { type Outcome, type Plot, resume as goOn, scenario as work, type World } from './program.ts'

export { storeOf } from './program.ts'

/** The window is too small for all of it, so that the model has to write a summary on the way. */
const plot: Plot = {
  task: 'Sum up the chapters one.txt, two.txt and three.txt in summary.txt, a line for each of them.',
  options: { doneWhen: [{ command: 'test "$(wc -l < summary.txt)" -eq 3', text: 'every chapter has its line' }] },
  config: { permissionMode: 'allow', compaction: 'model', limits: { compactAtTokens: 4000, keepLastMessages: 2 } },
  proof: 'test "$(wc -l < summary.txt)" -eq 3',
  script: {
    also: {
      summary: line('## Work so far\n- The chapters are read one by one, and each gets its line in summary.txt.'),
    },
    steps: ['one', 'two', 'three'].flatMap((name) => [
      [call('read', { file_path: `${name}.txt` })],
      [call('bash', { command: `head -c 20 ${name}.txt >> summary.txt && echo >> summary.txt` })],
    ]),
    last: line('Every chapter has its line in summary.txt.'),
  },
}

const chapter = (name: string) =>
  `Chapter ${name} of the book.\n${`What happens in chapter ${name} is told here.\n`.repeat(100)}`

export const files = {
  'project/one.txt': chapter('one'),
  'project/two.txt': chapter('two'),
  'project/three.txt': chapter('three'),
}

export function scenario(ports: CrashPorts<World>): Promise<Outcome> {
  return work(ports, plot)
}

export function resume(ports: CrashPorts<World>): Promise<Outcome> {
  return goOn(ports, plot)
}
