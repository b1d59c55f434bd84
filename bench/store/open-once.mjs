// Opens the session `long` in a folder to continue it, and prints the peak of its own resident memory in MiB.
import { Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'

const [directory] = process.argv.slice(2)
const session = await Session.load(new FileSessionStore({ directory }), 'long', { environment: systemEnvironment() })
console.log(process.resourceUsage().maxRSS / 1024)
await session.close()
