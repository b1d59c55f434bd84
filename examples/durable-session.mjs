// What was acknowledged survives the death of its process. Run it: node examples/durable-session.mjs FOLDER
import { spawnSync } from 'node:child_process'
import { Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'

const [node, program, directory = 'sessions', id] = process.argv
const [store, environment] = [new FileSessionStore({ directory }), systemEnvironment()]
if (id) {
  const session = await Session.open(store, { id, environment })
  await session.append([
    { type: 'input.queued', inputId: 'in_1', text: 'Create hello.txt' },
    { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
  ]) // from here on it is on the disk
  process.kill(process.pid, 'SIGKILL')
}
const newId = environment.newId('ses')
spawnSync(node, [program, directory, newId])
const session = await Session.load(store, newId, { environment }) // the dead hold nothing
console.log(session.state.turn.pending.text)
await session.append({ type: 'turn.finished', turnId: 'turn_1', reason: 'interrupted' })
await session.close()
