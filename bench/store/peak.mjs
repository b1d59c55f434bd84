import { existsSync, readFileSync } from 'node:fs'

/**
 * The most memory that this process has had, in MiB. Not `resourceUsage().maxRSS`: on Linux a process inherits that from the
 * one that started it.
 */
export function peak() {
  const status = '/proc/self/status'
  const kibibytes = existsSync(status) && /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]
  return kibibytes ? Number(kibibytes) / 1024 : process.memoryUsage.rss() / 1024 ** 2
}
