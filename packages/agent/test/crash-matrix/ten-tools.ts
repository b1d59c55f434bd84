import { call, type CrashPorts } from '@loader/test-harness'
import { halfWay, type Outcome, type Plot, resume as goOn, scenario as work, type World } from './program.ts'

export { storeOf } from './program.ts'

/** Edits and shell commands on real files; each command leaves a line, so that one that ran twice would show. */
const plot: Plot = {
  task: 'Rename the greeting in src/greet.sh to Hello, log each build step, and add notes.txt with a copy of it.',
  config: { permissionMode: 'allow' },
  options: { doneWhen: [{ command: 'sh check.sh', text: 'the greeting is Hello' }] },
  proof: 'sh check.sh',
  script: {
    steps: [
      [call('glob', { pattern: '**/*.sh' }), call('grep', { pattern: 'Hi', path: 'src' })],
      [call('read', { file_path: 'src/greet.sh' })],
      [call('edit', { file_path: 'src/greet.sh', old_string: 'Hi', new_string: 'Hello' })],
      [call('bash', { command: 'echo "one $(cat src/greet.sh)" >> build.log' })],
      [call('write', { file_path: 'notes.txt', content: 'The greeting is Hello now.\n' })],
      [
        call('bash', { command: 'echo two >> build.log && cp notes.txt copy.txt' }),
        call('edit', { file_path: 'notes.txt', old_string: 'now', new_string: 'from now on' }),
      ],
      [call('write', { file_path: 'src/greet.sh', content: 'echo "Hello, world"\n' })],
      [call('bash', { command: `sh check.sh && echo ${halfWay} && echo three >> build.log` })],
    ],
    last: {
      chunks: [
        'The greeting is Hello, the steps are in build.log, ',
        `${'and all of it was checked. '.repeat(160)}`,
        'Done.',
      ],
    },
  },
}

export const files = {
  'project/src/greet.sh': 'echo "Hi, world"\n',
  'project/check.sh': 'sh src/greet.sh | grep -q "^Hello, world$" && test -f copy.txt\n',
}

export function scenario(ports: CrashPorts<World>): Promise<Outcome> {
  return work(ports, plot)
}

export function resume(ports: CrashPorts<World>): Promise<Outcome> {
  return goOn(ports, plot)
}
