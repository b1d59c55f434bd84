// A process that works on a session until its input ends: it prints the id of the session, and goes.
import { openSession, startedCall } from './written-session.ts'

const [root = ''] = process.argv.slice(2)
const session = await openSession(root, 'Held')
await session.append(startedCall(1, 'bash', { command: 'sleep 100' }))
await session.save()
process.stdout.write(`${session.id}\n`)
for await (const _ of process.stdin);
process.kill(process.pid, 'SIGKILL')
