import { call, line } from '@loader/test-harness'
import type { WireLine } from '@loader/test-harness/wire'

/** The task that is done in every protocol, and died in at every place. */
export const task = 'Write hello.txt from the parts in a.txt and b.txt, then run build.sh.'

export const doneWhen = [{ command: 'sh check.sh' }]

export const files = {
  'project/a.txt': 'Hello\n',
  'project/b.txt': 'world\n',
  'project/build.sh': 'echo built >> build.log\necho half way\ncat hello.txt\n',
  'project/check.sh': 'grep -q "^Hello, world$" hello.txt && test "$(wc -l < build.log)" -eq 1\n',
}

/** The project when everything was done once. */
export const filesWhenDone = {
  'a.txt': 'Hello\n',
  'b.txt': 'world\n',
  'build.log': 'built\n',
  'build.sh': files['project/build.sh'],
  'check.sh': files['project/check.sh'],
  'hello.txt': 'Hello, world\n',
}

/** So much that it does not wait for more before it is stored. */
const long = (words: string) => `${words} `.repeat(Math.ceil(5000 / words.length))

const looks = [call('read', { file_path: 'a.txt' }), call('read', { file_path: 'b.txt' })]
const write = call('write', { file_path: 'hello.txt', content: 'Hello, world\n' })
const build = call('bash', { command: 'sh build.sh' })

const dripping = { fault: { type: 'drip', delayMs: 1 } } as const

/**
 * A model that minds what it is told: a look or a file that was cut off is asked for again, and after a command of
 * which nobody knows, it looks first.
 */
export const lines: readonly WireLine[] = [
  { ...line('I look at both parts.', ...looks), reasoning: 'Nothing is known of the two parts yet.' },
  {
    ...line('I look once more.', ...looks),
    when: { lastResult: 'run it again if it is needed' },
    repeat: 'any',
  },
  {
    reasoning: 'The parts are Hello and world, with a comma between.',
    calls: [write],
    chunks: { text: ['Both parts are there, ', long('and they are put together'), 'in one.'], arguments: 8 },
    ...dripping,
  },
  { ...line('I write it once more.', write), when: { lastResult: 'Nothing was done' }, repeat: 'any' },
  line('Now the build.', build),
  {
    ...line('Nobody knows whether it was built, so I look.', call('read', { file_path: 'build.log' })),
    when: { lastResult: 'It is unknown whether' },
    repeat: 'any',
  },
  { ...line('It was not, so I build it.', build), when: { lastResult: 'There is no file build.log' }, repeat: 'any' },
  {
    chunks: [long('hello.txt holds both parts'), 'and the build ran ', 'once.'],
    ...dripping,
  },
]
