import { runOften } from '../../src/processes/starter.ts'

/** Runs a few programs, prints the process that started the last one, and stays or ends. */
const [then] = process.argv.slice(2)
let printed = ''
for (let index = 0; index < 3; index += 1) {
  printed = ''
  await runOften({
    program: '/bin/sh',
    arguments: ['-c', 'echo $PPID'],
    cwd: '/',
    variables: {},
    timeoutMs: 60_000,
    onOutput: (chunk) => {
      printed += Buffer.from(chunk).toString()
      return 'more'
    },
  })
}
console.log(printed.trim())
if (then === 'stay') setInterval(() => undefined, 60_000)
