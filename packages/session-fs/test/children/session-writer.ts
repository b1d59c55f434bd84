/**
 * Opens or continues a session, records this many events, and closes it or kills itself. Each line that it prints is the
 * seq of an event that is acknowledged.
 *
 *   node session-writer.ts <directory> <session> <count> close|kill
 */
import { writeSync } from 'node:fs'
import { Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'

const [directory = '', id = '', count = '', how = ''] = process.argv.slice(2)
const store = new FileSessionStore({ directory }, { rotateAfterBytes: 1_500 })
const environment = systemEnvironment()
const { rows } = await store.list()
const session =
  rows.length === 0 ? await Session.open(store, { environment, id }) : await Session.load(store, id, { environment })
for (let index = 0; index < Number(count); index += 1) {
  await session.append({ type: 'custom.recorded', name: 'sample', data: 'x'.repeat(120) })
  writeSync(1, `${session.state.seq}\n`)
}
if (how === 'kill') process.kill(process.pid, 'SIGKILL')
await session.close()
