// Writes events to a session, as fast as the database takes them, and prints what was acknowledged:
// `node writer.ts ADDRESS TENANT ID LEASE_MS [CLOCK [TIMEOUT_MS]]`. With `+day`, its own clock is a day ahead.
import { LoaderError } from '@loader/session-core'
import { PostgresSessionStore } from '../../src/index.ts'
import { titled } from '../events.ts'

const [address = '', tenant = '', id = '', leaseMs = '1000', clock, timeoutMs = '5000'] = process.argv.slice(2)
if (clock === '+day') {
  const now = Date.now
  Date.now = () => now() + 86_400_000
}
const store = new PostgresSessionStore(address, { tenant, leaseMs: Number(leaseMs), timeoutMs: Number(timeoutMs) })
try {
  const { writer, events, state } = await store.claim(id, {
    owner: { type: 'Writer', path: String(process.pid) },
    expect: 'existing',
  })
  let last = events.at(-1)?.seq ?? state?.seq ?? 0
  console.log(`claimed ${writer.epoch} ${last}`)
  for (;;) {
    await writer.append([titled(last + 1, `${process.pid} ${last + 1}`)], 'flush')
    last += 1
    console.log(`stored ${last}`)
  }
} catch (error) {
  console.log(LoaderError.is(error) ? `ended ${error.code}` : `failed ${String(error)}`)
}
await store.close()
