// Opens the session `long` in a folder to continue it, and prints the peak of its own resident memory in MiB.
import { existsSync, readFileSync } from 'node:fs'
import { Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'

const [directory] = process.argv.slice(2)
const session = await Session.load(new FileSessionStore({ directory }), 'long', { environment: systemEnvironment() })
console.log(peak())
await session.close()

/** Not `resourceUsage().maxRSS`: on Linux a process inherits that from the one that started it. */
function peak() {
  const status = '/proc/self/status'
  const kibibytes = existsSync(status) && /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]
  return kibibytes ? Number(kibibytes) / 1024 : process.memoryUsage.rss() / 1024 ** 2
}
