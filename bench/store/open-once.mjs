// Opens the session `long` in a folder to continue it, and prints the peak of its own resident memory in MiB.
import { Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { peak } from './peak.mjs'

const [directory] = process.argv.slice(2)
const session = await Session.load(new FileSessionStore({ directory }), 'long', { environment: systemEnvironment() })
console.log(peak())
await session.close()
